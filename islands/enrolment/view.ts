// View model of the enrolment form, equal to EnrolmentView in pages/landing/enrolment_view.go, which renders the first one.
// Each field's appearance follows from it as on the server.
import * as z from "zod/mini";
import enrolment from "../../forms/enrolment.json";
import type { Env, Fault, Form } from "../forms/check.ts";
import { type FormState, fieldsIn, openGroups, watched } from "../forms/layout.ts";
import { currency } from "../runtime/schema.ts";

export const form: Form = enrolment;

/** Fields that decide what is shown; the view has their current values. */
export const watchedFields = watched(form);
for (const name of [
  "fullname",
  "email",
  "phone_number",
  "selected_course",
  "state",
  ...fieldsIn(form, "guardian").map(({ name }) => name),
  "consents",
  "coupon_code",
])
  watchedFields.add(name); // the ticket shows them

const text = z.string();
const fault = z.object({ field: text, message: text });

const proof = z.object({
  /** The code's field shows only in phase "sent", after this form has requested a code. */
  phase: z.literal(["none", "sent", "verified"]),
  requestId: text,
  /** The ten digits that the phase belongs to. */
  number: text,
  /** Seconds until the code may be sent again. */
  resendAfter: z.number(),
  /** Why no code is sent for now, a sentence. */
  why: z.optional(text),
  /** The number typed before this one, to which a code was sent. */
  kept: z.optional(text),
  /** Number of typed digits of the code. */
  digits: z.optional(z.number()),
  /** Whether no code that was sent works any more. */
  ended: z.optional(z.boolean()),
});

/** A step before payment; EnrolmentStep in Go documents its fields. */
const step = z.object({
  name: text,
  label: text,
  /** What it asks, in a few words. */
  asks: text,
  title: text,
  places: z.array(text),
  state: z.literal(["done", "current", "ahead", "faulty"]),
  unfolded: z.boolean(),
  missing: z.optional(fault),
});

/** The last message, shown at a field or at "pay". */
const notice = z.object({ text, look: z.literal(["", "waiting", "info", "done", "failed"]), at: text });

const price = z.object({
  label: text,
  fee: text,
  final: text,
  /** The fee in whole units of its currency, with at most two decimals. */
  amount: text,
  currency,
  coupon: text,
  /** The coupon's discount, formatted. */
  saved: text,
});

/** The server's texts around the form. */
export const viewSchema = z.object({
  action: text,
  code: text,
  subevent: text,
  courses: z.array(z.object({ value: text, label: text })),
  states: z.array(text),
  /** The requested consents. */
  consents: z.array(text),
  values: z.record(text, text),
  faults: z.array(fault),
  /** Errors of the last attempt to send the form; the summary lists them. */
  summary: z.array(fault),
  steps: z.array(step),
  /** The payment's button was pressed with steps left to do: the next one is linked, or all. */
  early: z.literal(["", "next", "all"]),
  /** What to do at an empty field. */
  prompts: z.record(text, text),
  phone: proof,
  guardian: proof,
  price,
  /** The referral code, if the server has confirmed it. */
  referral: text,
  /** Names of unfolded groups. */
  open: z.array(text),
  /** What the server focused: a field, or a button by its value. */
  focus: text,
  /** Screen reader announcement. */
  status: text,
  said: notice,
  busy: text,
  /** Whether the running call takes so long that the page must show progress. */
  slow: z.optional(z.boolean()),
  links: z.array(z.object({ text, href: text })),
  /** What a guardian agrees to; "{fee}" stands for the price. */
  guardianFacts: z.array(z.object({ term: text, fact: text, text, link: z.optional(text) })),
  /** Whether there are several payment methods to choose from. */
  choosesWay: z.optional(z.boolean()),
  /** Refund terms, a sentence. */
  refund: text,
  /** Name of the payee. */
  payee: text,
  /** Tuition without a full scholarship. */
  tuition: text,
  /** Source of the visit, as far as the server knows. */
  source: text,
  /** 2026-11-28, in India. */
  today: text,
});

export type View = z.infer<typeof viewSchema>;
export type Proof = z.infer<typeof proof>;
export type Step = z.infer<typeof step>;
export type Notice = z.infer<typeof notice>;

export const noNotice: Notice = { text: "", look: "", at: "" };
export const unproven: Proof = {
  phase: "none",
  requestId: "",
  number: "",
  resendAfter: 0,
  why: "",
  kept: "",
  digits: 0,
};

/** Opens groups and keeps open ones open. */
export const unfold = (view: View, groups: string[]): View => ({
  ...view,
  open: [...new Set([...view.open, ...groups])],
});

/** Shows errors and opens groups that hide them. */
export function refuse(view: View, faults: Fault[]): View {
  const placed = place(view, faults);
  return unfold({ ...view, faults: placed }, openGroups(form, {}, placed));
}

/**
 * Moves the code's error to the phone until a code is requested, unless the phone has an error of its own. It then names the
 * next step.
 */
export function place(view: View, faults: Fault[]): Fault[] {
  const placed: Fault[] = [];
  for (let { field, message } of faults) {
    const code = field;
    if (field === "otp" && view.phone.phase !== "sent") field = "phone_number";
    if (field === "guardian_otp" && view.guardian.phase !== "sent") field = "guardian_phone";
    if (field !== code) message = "Send a code to this number.";
    if (!field || !placed.some((fault) => fault.field === field)) placed.push({ field, message });
  }
  return placed;
}

/** Returns the context of the form's rules: the event's choices, and what is verified or applied. */
export function envOf(view: View): Env {
  const number = (proof: Proof) => (proof.phase === "verified" ? proof.number : "");
  return {
    options: { courses: view.courses, states: view.states.map((state) => ({ value: state, label: state })) },
    today: view.today,
    proven: {
      phone_number: number(view.phone),
      guardian_phone: number(view.guardian),
      coupon_code: view.price.coupon,
    },
  };
}

/** Returns the form's groups for the current state. */
export const formState = (view: View): FormState => ({
  form,
  env: envOf(view),
  values: view.values,
  faults: view.faults,
  focus: view.focus,
  open: view.open,
});
