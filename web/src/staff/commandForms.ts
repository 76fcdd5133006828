/** Command forms as data: each form sends one command to a player account, a table, a meter or the staff list. */

import type { CommandFor, CommandPath } from "../lib/api";
import type { OfferedCommand } from "../lib/apiTypes";
import type { TableCommand } from "../lib/liveTable.svelte";
import { FLOOR, STAFF_ROLES, SUPERVISORS, type ActingRole } from "./roles";

type AnyCommand = CommandFor<CommandPath>;

export interface FormField {
  name: string;
  label: string;
  kind: "text" | "dollars" | "signed dollars" | "number" | "choice" | "roles" | "list" | "submission";
  choices?: string[];
  optional?: boolean;
}

export interface CommandForm {
  kind: AnyCommand["kind"];
  title: string;
  description: string;
  path: CommandPath;
  /** The parameter of the path that names where the command goes, and its label. */
  target?: { name: string; label: string };
  /** The roles that can send it; the form uses the first that the person holds. */
  roles: ActingRole[];
  fields: FormField[];
}

const reason: FormField = { name: "reason", label: "Reason", kind: "text" };
const cents: FormField = { name: "cents", label: "Amount in dollars", kind: "dollars" };
const slip: FormField = { name: "slip", label: "Slip number", kind: "text" };
const person: FormField = { name: "person", label: "Sign-in name", kind: "text" };
const roles: FormField = { name: "roles", label: "Roles", kind: "roles", choices: STAFF_ROLES };
const number: FormField = { name: "number", label: "Proposal number", kind: "number" };
const DEALERS: ActingRole[] = ["dealer", ...FLOOR];

const player = { path: "/api/players/{player}/commands", target: { name: "player", label: "Player's sign-in name" } } as const;
const table = { path: "/api/tables/{table}/commands", target: { name: "table", label: "Table" } } as const;
const meter = { path: "/api/meters/{meter}/commands", target: { name: "meter", label: "Meter" } } as const;
const staff = { path: "/api/staff/commands" } as const;

export const FORM_GROUPS: { title: string; houseOnly?: boolean; forms: CommandForm[] }[] = [
  {
    title: "Players",
    houseOnly: true,
    forms: [
      {
        ...player, kind: "register_player", title: "Open an account", roles: [...FLOOR, "administrator"],
        description: "The player can sign in once an administrator sets a password.",
        fields: [{ name: "name", label: "Full name", kind: "text" }],
      },
      {
        ...player, kind: "deposit", title: "Deposit", roles: SUPERVISORS,
        description: "Pay money into the account at the cage.",
        fields: [cents],
      },
      {
        ...player, kind: "withdraw", title: "Withdraw", roles: SUPERVISORS,
        description: "Pay money out of the account at the cage.",
        fields: [cents],
      },
    ],
  },
  {
    title: "Tables",
    forms: [
      {
        ...table, kind: "install_table", title: "Install a table", roles: ["administrator"],
        description: "Set up a new table, or give a closed table another game.",
        fields: [
          { name: "submission", label: "Submission", kind: "submission" },
          { name: "cards", label: "Cards", kind: "choice", choices: ["built-in", "keyed"] },
          { name: "meter", label: "Meter (default: the table's own)", kind: "text", optional: true },
        ],
      },
      {
        ...table, kind: "open_table", title: "Open a table", roles: DEALERS,
        description: "Enter the back colors of the decks, for example: red, blue.",
        fields: [{ name: "decks", label: "Deck backs", kind: "list" }],
      },
      {
        ...table, kind: "close_table", title: "Close a table", roles: DEALERS,
        description: "Close the table between two rounds.",
        fields: [],
      },
      {
        ...table, kind: "last_hand", title: "Call the last hand", roles: DEALERS,
        description: "Close the table after the current round, or at once if there is none. Players' chips go back to their accounts.",
        fields: [],
      },
      {
        ...table, kind: "count_tray", title: "Count the tray", roles: FLOOR,
        description: "Count the chips before the table opens or after it closes.",
        fields: [{ name: "occasion", label: "When", kind: "choice", choices: ["opening", "closing"] }, cents],
      },
      {
        ...table, kind: "fill_tray", title: "Fill the tray", roles: FLOOR,
        description: "Bring chips from the cage to the tray.",
        fields: [cents, slip],
      },
      {
        ...table, kind: "credit_tray", title: "Credit the tray", roles: FLOOR,
        description: "Take chips from the tray to the cage.",
        fields: [cents, slip],
      },
      {
        ...table, kind: "collect_drop", title: "Collect the drop", roles: SUPERVISORS,
        description: "Remove the drop box and count it.",
        fields: [cents],
      },
    ],
  },
  {
    title: "Meters",
    forms: [
      {
        ...meter, kind: "close_link", title: "Close a link", roles: SUPERVISORS,
        description: "Its tables stop taking progressive wagers.",
        fields: [reason],
      },
      {
        ...meter, kind: "open_link", title: "Open a link", roles: SUPERVISORS,
        description: "Its tables take progressive wagers again.",
        fields: [reason],
      },
      {
        ...meter, kind: "propose_adjustment", title: "Propose an adjustment", roles: SUPERVISORS,
        description: "Somebody else must approve it.",
        fields: [
          { ...cents, label: "Dollars to add (negative: to take away)", kind: "signed dollars" },
          { name: "part", label: "Adjust", kind: "choice", choices: ["meter", "reserve"] },
          reason,
        ],
      },
      {
        ...meter, kind: "propose_back_out", title: "Propose to back out a win", roles: SUPERVISORS,
        description: "The win log shows the number of each win.",
        fields: [{ name: "win", label: "Win number", kind: "number" }, reason],
      },
      {
        ...meter, kind: "enter_reading", title: "Enter a reading", roles: SUPERVISORS,
        description: "After a restore from backup: enter what the signs showed last. Somebody else must approve it.",
        fields: [{ ...cents, label: "Dollars on the signs" }, reason],
      },
      {
        ...meter, kind: "approve_adjustment", title: "Approve", roles: ["executive"],
        description: "Approve what somebody else proposed.",
        fields: [number],
      },
      {
        ...meter, kind: "reject_adjustment", title: "Reject", roles: SUPERVISORS,
        description: "Reject a proposal.",
        fields: [number, reason],
      },
    ],
  },
  {
    title: "People",
    houseOnly: true,
    forms: [
      {
        ...staff, kind: "hire_staff", title: "Hire", roles: ["administrator"],
        description: "Add a person with one or more roles.",
        fields: [person, { name: "name", label: "Full name", kind: "text" }, roles],
      },
      {
        ...staff, kind: "change_roles", title: "Change roles", roles: ["administrator"],
        description: "Replace a person's roles.",
        fields: [person, roles],
      },
      {
        ...staff, kind: "dismiss_staff", title: "Dismiss", roles: ["administrator"],
        description: "Remove a person and end all their sessions.",
        fields: [person],
      },
    ],
  },
];

/** What a person typed, by field. */
export type FormValues = Record<string, string | string[]>;

/** Typed dollars in cents, without rounding; null if the text is not an amount. */
export function parseCents(text: string, signed: boolean): number | null {
  const match = /^([-−]?)\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(",", "").trim());
  if (!match || (match[1] && !signed)) return null;
  const cents = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] ? -cents : cents;
}

function parseValue(field: FormField, typed: string | string[]): unknown {
  if (Array.isArray(typed)) return typed;
  if (field.kind === "dollars" || field.kind === "signed dollars") return parseCents(typed, field.kind === "signed dollars");
  if (field.kind === "number") return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null;
  if (field.kind === "list") return typed.split(/[,\s]+/).filter(Boolean);
  return field.kind === "submission" ? typed : typed.trim();
}

/** The command of a form, or the label of the first invalid field. */
export function buildCommand(form: CommandForm, typed: FormValues, role: ActingRole): AnyCommand | string {
  const command: Record<string, unknown> = { kind: form.kind, role };
  for (const field of form.fields) {
    const value = parseValue(field, typed[field.name] ?? "");
    if (value === null) return field.label;
    if (value === "" && field.optional) continue;
    command[field.name] = value;
  }
  return command as AnyCommand;
}

/** A number that a person has to count and enter: a field that is null in the offered command. */
export interface RequiredCount {
  /** A field of the command, or a field and a key in it. */
  path: [string] | [string, string];
  label: string;
}

const handOf = (position: string): string => (position === "0" ? "Dealer's hand" : `Hand at position ${position}`);

/** The numbers that must be entered before a command can be sent. */
export const requiredCounts = (command: OfferedCommand): RequiredCount[] =>
  Object.entries(command).flatMap(([name, value]): RequiredCount[] => {
    if (value === null) return [{ path: [name], label: name === "stub" ? "Cards in the stub" : "Number counted" }];
    if (name !== "hands" || typeof value !== "object") return [];
    return Object.entries(value)
      .filter(([, size]) => size === null)
      .map(([position]) => ({ path: [name, position], label: handOf(position) }));
  });

/** The command that the server offered, with the entered numbers. */
export const withCounts = (command: OfferedCommand, numbers: number[]): TableCommand => {
  const filled: OfferedCommand = { ...command };
  requiredCounts(command).forEach(({ path: [name, key] }, at) => {
    filled[name] = key === undefined ? numbers[at] : { ...(filled[name] as object), [key]: numbers[at] };
  });
  return filled as unknown as TableCommand;
};
