/** Staff roles: which roles a person can act in. This only decides what is shown; the server checks every command. */

const ACTS_AS: Record<string, string[]> = {
  dealer: ["dealer"],
  floorperson: ["floorperson"],
  supervisor: ["supervisor", "casino-supervisor", "floorperson"],
  executive: ["executive", "casino-supervisor", "supervisor", "floorperson"],
  auditor: ["auditor"],
  administrator: ["administrator"],
};

export const STAFF_ROLES = Object.keys(ACTS_AS);

export const actingRoles = (held: string[]): string[] => [...new Set(held.flatMap((role) => ACTS_AS[role] ?? []))];

/** The first of the wanted roles that a person can act in, or null. */
export const roleFor = (wanted: string[], held: string[]): string | null => {
  const acting = actingRoles(held);
  return wanted.find((role) => acting.includes(role)) ?? null;
};

/** Roles that supervise tables, the lowest first. */
export const FLOOR = ["floorperson", "supervisor", "casino-supervisor", "executive"];
export const SUPERVISORS = ["supervisor", "casino-supervisor", "executive"];
