/** The forms of the staff as data: each gives one command, to one player, table, meter or the staff itself. */

import { FLOOR, STAFF_ROLES, SUPERVISORS } from "./roles";

export interface Field {
  name: string;
  label: string;
  kind: "text" | "dollars" | "signed dollars" | "number" | "choice" | "roles" | "list" | "submission";
  choices?: string[];
  optional?: boolean;
}

export interface Form {
  kind: string;
  title: string;
  says: string;
  /** What the command is for, and how its name is asked; the staff has none. */
  family: "players" | "tables" | "meters" | "staff";
  target?: string;
  /** The roles in which it is given, the first that the person holds. */
  roles: string[];
  fields: Field[];
}

const reason: Field = { name: "reason", label: "Reason", kind: "text" };
const cents: Field = { name: "cents", label: "Amount in dollars", kind: "dollars" };
const slip: Field = { name: "slip", label: "Number of the slip", kind: "text" };
const person: Field = { name: "person", label: "Sign-in name", kind: "text" };
const roles: Field = { name: "roles", label: "Roles", kind: "roles", choices: STAFF_ROLES };
const number: Field = { name: "number", label: "Number of the proposal", kind: "number" };
const DEALERS = ["dealer", ...FLOOR];

const player = { family: "players", target: "Player's sign-in name" } as const;
const table = { family: "tables", target: "Table" } as const;
const meter = { family: "meters", target: "Meter" } as const;
const staff = { family: "staff" } as const;

export const GROUPS: { title: string; houseOnly?: boolean; forms: Form[] }[] = [
  {
    title: "Players",
    houseOnly: true,
    forms: [
      {
        ...player, kind: "register_player", title: "Open an account", roles: [...FLOOR, "administrator"],
        says: "The player signs in under the sign-in name, once there is a password.",
        fields: [{ name: "name", label: "Full name", kind: "text" }],
      },
      {
        ...player, kind: "deposit", title: "Deposit", roles: SUPERVISORS,
        says: "Pay money into the account at the cage.",
        fields: [cents],
      },
      {
        ...player, kind: "withdraw", title: "Withdraw", roles: SUPERVISORS,
        says: "Pay money out of the account at the cage.",
        fields: [cents],
      },
    ],
  },
  {
    title: "Tables",
    forms: [
      {
        ...table, kind: "install_table", title: "Install a table", roles: ["administrator"],
        says: "Set a table up for a game, or a closed one for another.",
        fields: [
          { name: "submission", label: "Submission", kind: "submission" },
          { name: "cards", label: "Cards", kind: "choice", choices: ["built-in", "keyed"] },
          { name: "meter", label: "Meter, its own unless told", kind: "text", optional: true },
        ],
      },
      {
        ...table, kind: "open_table", title: "Open a table", roles: DEALERS,
        says: "Open it with decks of certain backs, such as: red, blue.",
        fields: [{ name: "decks", label: "Backs of the decks", kind: "list" }],
      },
      {
        ...table, kind: "close_table", title: "Close a table", roles: DEALERS,
        says: "Close it between two rounds.",
        fields: [],
      },
      {
        ...table, kind: "last_hand", title: "Call the last hand", roles: DEALERS,
        says: "Close it after the round under way, or at once; the players' chips go back to their accounts.",
        fields: [],
      },
      {
        ...table, kind: "count_tray", title: "Count the tray", roles: FLOOR,
        says: "Count its chips before the table opens or after it closed.",
        fields: [{ name: "occasion", label: "When", kind: "choice", choices: ["opening", "closing"] }, cents],
      },
      {
        ...table, kind: "fill_tray", title: "Fill the tray", roles: FLOOR,
        says: "Bring chips from the cage to the tray.",
        fields: [cents, slip],
      },
      {
        ...table, kind: "credit_tray", title: "Credit the tray", roles: FLOOR,
        says: "Take chips from the tray to the cage.",
        fields: [cents, slip],
      },
      {
        ...table, kind: "collect_drop", title: "Collect the drop", roles: SUPERVISORS,
        says: "Take the drop box away, and count it.",
        fields: [cents],
      },
    ],
  },
  {
    title: "Meters",
    forms: [
      {
        ...meter, kind: "close_link", title: "Close a link", roles: SUPERVISORS,
        says: "None of its tables then takes a progressive wager.",
        fields: [reason],
      },
      {
        ...meter, kind: "open_link", title: "Open a link", roles: SUPERVISORS,
        says: "Its tables take progressive wagers again.",
        fields: [reason],
      },
      {
        ...meter, kind: "propose_adjustment", title: "Propose an adjustment", roles: SUPERVISORS,
        says: "Somebody else has to approve it.",
        fields: [
          { ...cents, label: "Dollars to add, negative to take away", kind: "signed dollars" },
          { name: "part", label: "Of", kind: "choice", choices: ["meter", "reserve"] },
          reason,
        ],
      },
      {
        ...meter, kind: "propose_back_out", title: "Propose to back a win out", roles: SUPERVISORS,
        says: "By the number of the win in the log.",
        fields: [{ name: "win", label: "Number of the win", kind: "number" }, reason],
      },
      {
        ...meter, kind: "enter_reading", title: "Enter a reading", roles: SUPERVISORS,
        says: "After a restore: what the signs showed last. Somebody else has to approve it.",
        fields: [{ ...cents, label: "Dollars on the signs" }, reason],
      },
      {
        ...meter, kind: "approve_adjustment", title: "Approve", roles: ["executive"],
        says: "What somebody else proposed.",
        fields: [number],
      },
      {
        ...meter, kind: "reject_adjustment", title: "Reject", roles: SUPERVISORS,
        says: "What was proposed.",
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
        says: "Take a person on, in one or more roles.",
        fields: [person, { name: "name", label: "Full name", kind: "text" }, roles],
      },
      {
        ...staff, kind: "change_roles", title: "Change roles", roles: ["administrator"],
        says: "Give a person other roles.",
        fields: [person, roles],
      },
      {
        ...staff, kind: "dismiss_staff", title: "Dismiss", roles: ["administrator"],
        says: "Let a person go; every sign-in ends.",
        fields: [person],
      },
    ],
  },
];
