// The steps before payment: which are completed and which are open. pages/landing/enrolment_steps.go does the same on the
// server.
import { applies, check, checkOnly, type Fault, type Form } from "../forms/check.ts";
import type { Moment } from "../forms/island.ts";
import { fieldsIn } from "../forms/layout.ts";
import type { NamedStep } from "../forms/Stepper.tsx";
import { money } from "./money.ts";
import { type State, withView } from "./state.ts";
import { envOf, form, place, type Step, type View } from "./view.ts";

/** Returns the names of a step's fields. */
export const fieldsOf = ({ places }: Pick<Step, "places">): string[] =>
  groupsOf(form, places).flatMap(({ name }) => fieldsIn(form, name).map((field) => field.name));

const groupsOf = ({ steps }: Form, places: string[]) =>
  steps.flatMap(({ groups }) => groups).filter(({ place }) => places.includes(place));

/** Returns a field's step. */
export const stepOf = ({ steps }: View, field: string): Step | undefined =>
  steps.find((step) => fieldsOf(step).includes(field));

/** Steps that end without a button: the phone's with the code, the consent's with two answers. */
const provesItself = ({ name }: Step) => name === "phone" || name === "consent";

const first = (faults: Fault[], fields: string[]) => faults.find(({ field }) => fields.includes(field));

/** Updates each step's state. Unfolds steps with errors; if none is unfolded, the first incomplete one. */
export function settle(state: State, { typed }: Moment): State {
  const faults = place(state.view, check(form, typed, envOf(state.view)).faults);
  let next: string | undefined;
  let steps = state.view.steps.map((step) => {
    const fields = fieldsOf(step);
    const wrong = first(state.view.faults, fields);
    const missing = wrong ?? first(faults, fields);
    const done = !missing && (provesItself(step) || state.passed.includes(step.name));
    const isNext = !done && !next;
    if (isNext) next = step.name;
    const now = wrong && !state.view.early ? "faulty" : done ? "done" : isNext ? "current" : "ahead";
    return { ...step, state: now, unfolded: step.unfolded || Boolean(wrong), missing } satisfies Step;
  });
  if (!steps.some(({ unfolded }) => unfolded)) steps = steps.map((step) => ({ ...step, unfolded: step.name === next }));
  const same = steps.every(({ state: now, unfolded, missing }, i) => {
    const before = state.view.steps[i];
    return before?.state === now && before.unfolded === unfolded && sameFault(before.missing, missing);
  });
  return same ? state : withView(state, { steps });
}

const sameFault = (one?: Fault, other?: Fault) => one?.field === other?.field && one?.message === other?.message;

/** Unfolds the named steps only. If all are folded then, settle unfolds the first incomplete one. */
export const unfoldOnly = (state: State, ...names: string[]): State =>
  withView(state, { steps: state.view.steps.map((step) => ({ ...step, unfolded: names.includes(step.name) })) });

/** Folds a completed step, and focuses the next one's first field, or the payment. */
export function goOn(state: State, name: string, moment: Moment): State {
  const before = state.view.steps.findIndex((step) => step.name === name);
  const passed = [...state.passed, ...state.view.steps.slice(0, before + 1).map((step) => step.name)];
  const next = settle(unfoldOnly({ ...state, passed }), moment);
  const open = next.view.steps.find(({ unfolded }) => unfolded);
  return { ...next, focus: { name: open ? firstField(open, next, moment) : "pay" } };
}

/** Returns a step's first invalid field, or its first field. */
export function firstField(step: Step, { view }: State, { typed }: Moment): string {
  const fields = fieldsOf(step);
  const [fault] = checkOnly(form, typed, envOf(view), ...fields).faults;
  return fault && fault.field !== "otp" ? fault.field : (fields[0] ?? "");
}

export function stepsOf({ steps }: View, waits = false): NamedStep[] {
  const named = steps.map(({ label, state }): NamedStep => ({ name: label, state }));
  const isNext = named.every(({ state }) => state === "done");
  if (!isNext) return [...named, { name: "Pay", state: "ahead" }];
  return [...named, { name: "Pay", state: waits ? "waiting" : "current", text: "is next" }];
}

export const undone = ({ steps }: View) => steps.filter(({ state }) => state !== "done");

const isWrong = ({ steps }: View): boolean => steps.some(({ state }) => state === "faulty");

export const stepCount = (count: number): string => (count === 1 ? "1 step" : `${count} steps`);

/** A step that is left to do before the payment. */
interface ToDo {
  label: string;
  text: string;
  /** "" for none. */
  href: string;
  /** The text names an error that the form shows. */
  wrong: boolean;
}

/** Returns what is left to do, once the payment's button was pressed early. */
export function toDos(view: View): ToDo[] {
  if (!view.early) return [];
  return undone(view).map(({ label, asks, missing }, i) => {
    const { field = "", message = "" } = missing ?? {};
    const wrong = view.faults.some((fault) => fault.field === field);
    const href = field && (view.early === "all" || i === 0 || wrong) ? `#f-${field}` : "";
    if (wrong) return { label, href, wrong, text: message };
    const prompt = view.values[field] ? "" : view.prompts[field];
    return { label, href, wrong, text: i === 0 ? prompt || message || asks : asks };
  });
}

const couponWaits = ({ values, price }: View) => Boolean(values.coupon_code) && !price.coupon;

/** Reports whether the coupon has an error. */
export const isCouponRefused = ({ faults }: View): boolean => faults.some(({ field }) => field === "coupon_code");

/** Reports whether payment is next. */
export const isReady = (view: View): boolean => undone(view).length === 0 && !couponWaits(view);

/** Reports whether the coupon covers the whole fee. */
export const isFree = ({ price }: View) => price.final === money(0, price.currency);

/** Reports whether to show the last day of a refund. */
export const isRefundable = (view: View): boolean => isReady(view) && !isFree(view);

/** Returns what the visitor must do before paying; "" while more than the next step would distract. */
export function left(view: View): string {
  const open = undone(view);
  const count = ["", "One step", "Two steps", "Three steps", "Four steps"][open.length];
  const names = open.map(({ label }) => label.toLowerCase()).join(", ");
  if (view.early && open.length > 0) return `${stepCount(open.length)} first, then you pay.`;
  if (open.length === 0) {
    if (couponWaits(view)) return "Apply the code or clear it, then you pay.";
    if (isFree(view)) return "Your coupon covers the whole fee. You are enrolled as soon as you press the button.";
    return "Nothing is charged until you confirm on the next page. Your ticket and receipt come by e-mail.";
  }
  if (isWrong(view)) return `${count} ${open.length === 1 ? "is" : "are"} still open: ${names}.`;
  if (open.some(({ name }) => name === "phone")) return view.values.coupon_code ? "" : "Coupon? Add it later.";
  return `${count}, then you pay: ${names}.`;
}

/** Reports whether a guardian uses the student's phone. */
export const sharesPhone = (view: View): boolean =>
  view.values.guardian_shares_phone === "true" && applies(form, "guardian_shares_phone", view.values, envOf(view));

/** Reports whether the student hands the phone to a guardian, who then asks for the code. */
export const handsOver = (view: View): boolean => sharesPhone(view) && view.guardian.phase === "none";

/** Reports whether a row replaces the guardian's fields: they are valid, the phone is verified, and nobody changes them. */
export function guardianAgreed(view: View): boolean {
  const { values, guardian, open, faults } = view;
  if (values.adult !== "false" || guardian.phase !== "verified" || open.includes("guardian")) return false;
  const fields = fieldsIn(form, "guardian").map(({ name }) => name);
  return !first([...faults, ...checkOnly(form, values, envOf(view), ...fields).faults], fields);
}

/** Returns what a guardian agrees to. */
export const guardianFacts = (view: View): View["guardianFacts"] =>
  view.guardianFacts
    .filter(({ fact }) => !fact.includes("{fee}") || !isFree(view))
    .map((row) => ({ ...row, fact: row.fact.replaceAll("{fee}", () => view.price.final) }));

/**
 * Reports whether a step shows its Continue button: it is completed or the only unfolded step, and no code or answer ends it.
 * The phone's step has one only if it is opened again after its code.
 */
export function goesOn({ steps, phone }: View, { name, unfolded, state }: Step): boolean {
  if (!unfolded || (state !== "done" && steps.some((other) => other.unfolded && other.name !== name))) return false;
  return name === "you" || name === "course" || (name === "phone" && phone.phase === "verified");
}

/** Returns a completed step's summary. */
export function rowOf({ values, courses }: View, name: string): { what: string; more: string } {
  const { fullname = "", email = "", phone_number = "", selected_course = "", state = "", guardian_name = "" } = values;
  switch (name) {
    case "you":
      return { what: fullname.trim(), more: email.trim() };
    case "phone":
      return { what: mobile(phone_number), more: "Verified" };
    case "course":
      return { what: courses.find(({ value }) => value === selected_course)?.label ?? "", more: state };
  }
  const age = form.fields.find((field) => field.name === "adult");
  const answer = age?.options?.find(({ value }) => value === values.adult)?.label ?? "";
  const under18 = values.adult === "false";
  return {
    what: under18 ? `${answer}, ${guardian_name.trim()} agrees` : answer,
    more: `Agreed to the terms, the refund policy and the legal disclosure${values.consents && !under18 ? "" : ". No news, nothing shared"}`,
  };
}

/** Returns the ticket's name; "" while it is invalid. */
export function nameOn(view: View): string {
  const { clean, faults } = checkOnly(form, view.values, envOf(view), "fullname");
  return faults.length > 0 ? "" : (clean.fullname ?? "");
}

/** Announces the work before a code. */
export const checkFirst = "To send one more, we check that a person is asking. Your phone does it in up to 30 seconds.";

/** Formats a wait. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes > 2 ? `${minutes} minutes` : `${seconds} s`;
}

/** Formats a phone number. */
export const mobile = (number: string): string =>
  number.length === 10 ? `+91 ${number.slice(0, 5)} ${number.slice(5)}` : `+91${number}`;
