/** In which roles a member of staff acts; the house has the last word, this only chooses what is shown. */

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

/** The first of some roles in which a person acts, or null where the person holds none of them. */
export const roleFor = (wanted: string[], held: string[]): string | null => {
  const acting = actingRoles(held);
  return wanted.find((role) => acting.includes(role)) ?? null;
};

/** Who sees to a table, by falling authority: what a form asks for where any of them may do it. */
export const FLOOR = ["floorperson", "supervisor", "casino-supervisor", "executive"];
export const SUPERVISORS = ["supervisor", "casino-supervisor", "executive"];
