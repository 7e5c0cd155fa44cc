// View model of an application's step, equal to islandView in pages/application/island.go, which renders the first one.
import * as z from "zod/mini";
import hiresure from "../../forms/hiresure.json";
import { checkStep, type Env, type Fault, type Field, type Form, type Group, type Values } from "../forms/check.ts";
import { type FormState, watched } from "../forms/layout.ts";
import { ownAddress } from "../runtime/schema.ts";

export const form: Form = hiresure;

/** Fields that decide what is shown; the view has their current values. */
export const watchedFields = watched(form);
for (const { name, warn = [], kind, maxlength } of form.fields) {
  if (kind === "textarea" && maxlength) watchedFields.add(name); // a counter shows their length
  for (const { field } of warn) for (const one of [name, field]) if (one) watchedFields.add(one);
}
for (const name of ["institution", "course", "yearSemester"]) watchedFields.add(name); // the ticket shows them

const text = z.string();
const texts = z.record(text, text);
const option = z.object({ value: text, label: text, pins: z.optional(z.nullable(z.array(text))) });

/** The server's texts around the form. */
export const viewSchema = z.object({
  step: z.literal(["personal", "academic", "scholarship"]),
  action: ownAddress,
  /** Address after NEXT. */
  next: ownAddress,
  /** Sign-in page that returns here. */
  signIn: ownAddress,
  /** Id of the registration whose answers the page has. */
  registration: text,
  /** Version of the draft that the server rendered. */
  version: z.number(),
  /** Time of the last save, ms since 1970; 0 for never. */
  savedAt: z.number(),
  unsaved: z.boolean(),
  hidden: z.array(z.object({ name: text, value: text })),
  values: texts,
  faults: z.array(z.object({ field: text, message: text })),
  /** The field that the server focused. */
  focus: text,
  states: z.array(option),
  today: text,
  facts: texts,
  proven: texts,
});
export type Payload = z.infer<typeof viewSchema>;

/** Saved input: on the server, or still in this tab only. left: the server does not store all of it. */
export interface Kept {
  phase: "saved" | "waits" | "here" | "left";
  /** Time of the last save on the server, `here` of unsaved input in this tab: ms since 1970, 0 for never. */
  at: number;
  here: number;
  /** Values on the server. */
  values: Values;
  /** Fields with other values on the server. */
  open: string[];
}

/** A sentence above the fields. */
export interface Notice {
  kind: "" | "failed" | "held" | "signed out" | "other account" | "other tab";
  text: string;
}
export const noNotice: Notice = { kind: "", text: "" };

export interface View extends Payload {
  /** Errors of the last attempt to send the form; the summary lists them. */
  summary: Fault[];
  /** Whether an answer that was typed is among them; else all are missing. */
  toCorrect: boolean;
  /** Screen reader announcement. */
  status: string;
  /** Value of the button whose action is running. */
  busy: string;
  slow: boolean;
  notice: Notice;
  kept: Kept;
}

/** A single error is shown at its field, which gets the focus; several, and errors of the whole form, are listed. */
export const isListed = (faults: Fault[]): boolean => faults.length > 1 || faults.some(({ field }) => !field);

/** Counts answers by what is to do; "" for none. Go's half is CountFaults in pages. */
export function countFaults({ faults, toCorrect }: View): string {
  if (faults.length === 0) return "";
  return `${faults.length} ${faults.length === 1 ? "answer" : "answers"} ${toCorrect ? "to correct" : "missing"}`;
}

/** Reports whether an answer that was typed has a fault. */
export const isTyped = (faults: Fault[], values: Values): boolean => faults.some(({ field }) => values[field]?.trim());

export const viewOf = (payload: Payload): View => ({
  ...payload,
  summary: isListed(payload.faults) ? payload.faults : [],
  toCorrect: isTyped(payload.faults, payload.values),
  status: "",
  busy: "",
  slow: false,
  notice: noNotice,
  kept: {
    phase: "saved",
    at: payload.savedAt,
    here: 0,
    values: payload.unsaved ? {} : payload.values,
    open: [],
  },
});

/** Shows errors, at most one per field. */
export const refuse = (view: View, faults: Fault[]): View => ({
  ...view,
  faults: faults.filter(({ field }, i) => !field || faults.findIndex((one) => one.field === field) === i),
});

/** Returns the context of the form's rules. */
export const envOf = ({ states, today, facts, proven }: Payload): Env => ({
  options: { states: states.map(({ pins, ...rest }) => ({ ...rest, ...(pins && { pins }) })) },
  today,
  facts,
  proven,
});

/** Returns the form's groups for the current state. */
export const formState = (view: View): FormState => ({
  form,
  step: view.step,
  env: envOf(view),
  values: view.values,
  faults: view.faults,
  focus: view.focus,
  open: [],
});

const isKept = ({ kind }: Field) => kind !== "otp";

/** Returns the names of the page's visible fields. */
export const fieldsHere = ({ step }: Pick<Payload, "step">): string[] => namesOf(step, ({ place }) => place === "form");

/** Returns the names of all the page's fields, hidden ones too, and those of a minor's guardian. */
export const fieldsHeld = ({ step }: Pick<Payload, "step">): string[] => namesOf(step, () => true);

function namesOf(step: string, isWanted: (group: Group) => boolean): string[] {
  const groups = form.steps.find(({ name }) => name === step)?.groups.filter(isWanted) ?? [];
  return form.fields
    .filter((field) => isKept(field) && groups.some(({ name }) => name === field.group))
    .map(({ name }) => name);
}

/** Returns the values of the page's fields. */
export const heldOf = (view: Pick<Payload, "step">, values: Values): Values =>
  Object.fromEntries(fieldsHeld(view).map((name) => [name, values[name] ?? ""]));

/** Returns the page's fields whose answers differ between two sets of values, after the form has parsed them. */
export function differing(view: Payload, one: Values, other: Values): string[] {
  const read = (values: Values) => checkStep(form, view.step, values, envOf(view)).clean;
  const [a, b] = [read(one), read(other)];
  return fieldsHeld(view).filter((name) => (a[name] ?? "") !== (b[name] ?? ""));
}
