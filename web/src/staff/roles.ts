/** Staff roles: which roles a person can act in. This only decides what is shown; the server checks every command. */

import type { ConsoleStepView, SignedInPerson, WaitingView } from "../lib/apiTypes";

/** A role that a person holds. */
export type StaffRole = SignedInPerson["roles"][number];
/** A role in which somebody acts. */
export type ActingRole = WaitingView["role"];
/** A role in which somebody acts at a table. */
export type TableRole = ConsoleStepView["role"];

const ACTS_AS: Record<StaffRole, ActingRole[]> = {
  dealer: ["dealer"],
  floorperson: ["floorperson"],
  supervisor: ["supervisor", "casino-supervisor", "floorperson"],
  executive: ["executive", "casino-supervisor", "supervisor", "floorperson"],
  auditor: ["auditor"],
  administrator: ["administrator"],
};

export const STAFF_ROLES = Object.keys(ACTS_AS) as StaffRole[];

export const actingRoles = (held: StaffRole[]): ActingRole[] => [...new Set(held.flatMap((role) => ACTS_AS[role]))];

/** The first of the wanted roles that a person can act in, or null. */
export const roleFor = <Role extends ActingRole>(wanted: Role[], held: StaffRole[]): Role | null => {
  const acting = actingRoles(held);
  return wanted.find((role) => acting.includes(role)) ?? null;
};

/** Roles that supervise tables, the lowest first. */
export const FLOOR: TableRole[] = ["floorperson", "supervisor", "casino-supervisor", "executive"];
export const SUPERVISORS: TableRole[] = ["supervisor", "casino-supervisor", "executive"];
