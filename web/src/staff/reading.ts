/** What is typed into a form, read as the command wants it. */

import type { Command } from "../lib/types";
import type { Field, Form } from "./forms";

export type Typed = Record<string, string | string[]>;

/** Dollars as somebody types them, in cents; exactly, without rounding. */
export function centsOf(text: string, signed: boolean): number | null {
  const found = /^([-−]?)\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(",", "").trim());
  if (!found || (found[1] && !signed)) return null;
  const cents = Number(found[2]) * 100 + Number((found[3] ?? "").padEnd(2, "0"));
  return found[1] ? -cents : cents;
}

function valueOf(field: Field, typed: string | string[]): unknown {
  if (Array.isArray(typed)) return typed;
  if (field.kind === "dollars" || field.kind === "signed dollars") return centsOf(typed, field.kind === "signed dollars");
  if (field.kind === "number") return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null;
  if (field.kind === "list") return typed.split(/[,\s]+/).filter(Boolean);
  return field.kind === "submission" ? typed : typed.trim();
}

/** The command of a form, or the label of the first field that cannot be read. */
export function commandOf(form: Form, typed: Typed, role: string): Command | string {
  const command: Command = { kind: form.kind, role };
  for (const field of form.fields) {
    const value = valueOf(field, typed[field.name] ?? "");
    if (value === null) return field.label;
    if (value === "" && field.optional) continue;
    command[field.name] = value;
  }
  return command;
}
