// All that the enrolment form shows in one state: the shape of EnrolmentView in pages/landing/enrolment_view.go, which is
// where an island starts, and the same choices of what each field shows in it.
import * as z from "zod/mini";
import enrolment from "../../forms/enrolment.json";
import type { Env, Fault, Form } from "../forms/check.ts";
import { type FormState, openGroups, watched } from "../forms/layout.ts";
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
  "guardian_name",
  "consents",
  "coupon_code",
])
  watchedFields.add(name); // the ticket shows them

const text = z.string();
const fault = z.object({ field: text, message: text });

const proof = z.object({
  /** A code can be typed in while it is "sent" only: then there is a request of this form's own. */
  phase: z.literal(["none", "sent", "verified"]),
  requestId: text,
  /** Ten digits that the phase speaks of. */
  number: text,
  /** Seconds until the code may be sent again. */
  resendAfter: z.number(),
  /** As many digits of the code as are typed. */
  digits: z.optional(z.number()),
});

/** A step before payment; EnrolmentStep in Go documents each part. */
const step = z.object({
  name: text,
  label: text,
  title: text,
  places: z.array(text),
  state: z.literal(["done", "now", "ahead", "open"]),
  unfolded: z.boolean(),
});

/** What happened last, at the field where it happened, or at "pay". */
const notice = z.object({ text, look: z.literal(["", "waiting", "info", "done", "failed"]), at: text });

const price = z.object({
  label: text,
  fee: text,
  final: text,
  /** The fee in whole units, at most two decimals. */
  amount: text,
  currency,
  coupon: text,
  /** What the coupon takes off, as it is read. */
  saved: text,
});

/** The server's texts around the form. */
export const viewSchema = z.object({
  action: text,
  code: text,
  subevent: text,
  courses: z.array(z.object({ value: text, label: text })),
  states: z.array(text),
  /** The consents that are asked for. */
  consents: z.array(text),
  values: z.record(text, text),
  faults: z.array(fault),
  /** The faults of the last try to send the form, which the summary lists. */
  summary: z.array(fault),
  steps: z.array(step),
  phone: proof,
  guardian: proof,
  price,
  /** The referral code that the server knows. */
  referral: text,
  /** The names of the form's folded groups that are unfolded. */
  open: z.array(text),
  /** What the server gave the focus: a field, or a button by its value. */
  focus: text,
  /** What is read out. */
  status: text,
  said: notice,
  busy: text,
  /** The running call takes so long that the page must show progress. */
  slow: z.optional(z.boolean()),
  links: z.array(z.object({ text, href: text })),
  /** The message that a guardian gets, with a made-up code. */
  guardianSms: text,
  /** Whether to choose a payment method first: there are several. */
  choosesWay: z.optional(z.boolean()),
  /** Last day of a refund. */
  refund: text,
  /** Who takes the money. */
  payee: text,
  /** What the course costs without a whole scholarship. */
  tuition: text,
  /** Where the visit came from, as far as the server knows. */
  source: text,
});

export type View = z.infer<typeof viewSchema>;
export type Proof = z.infer<typeof proof>;
export type Step = z.infer<typeof step>;
export type Notice = z.infer<typeof notice>;

export const noNotice: Notice = { text: "", look: "", at: "" };
export const unproven: Proof = { phase: "none", requestId: "", number: "", resendAfter: 0, digits: 0 };

/** Opens groups in addition to the open ones. */
export const unfold = (view: View, groups: string[]): View => ({
  ...view,
  open: [...new Set([...view.open, ...groups])],
});

/** Shows faults, and opens groups that hide them. */
export function refuse(view: View, faults: Fault[]): View {
  const placed = place(view, faults);
  return unfold({ ...view, faults: placed }, openGroups(form, {}, placed));
}

/** Before a code is requested, its fault is shown at the phone, unless the phone has one. */
function place(view: View, faults: Fault[]): Fault[] {
  const placed: Fault[] = [];
  for (let { field, message } of faults) {
    if (field === "otp" && view.phone.phase !== "sent") field = "phone_number";
    if (field === "guardian_otp" && view.guardian.phase !== "sent") field = "guardian_phone";
    if (!field || !placed.some((fault) => fault.field === field)) placed.push({ field, message });
  }
  return placed;
}

/** Input of the form's rules: the event's choices, and what is verified or applied. */
export function envOf(view: View): Env {
  const number = (proof: Proof) => (proof.phase === "verified" ? proof.number : "");
  return {
    options: { courses: view.courses, states: view.states.map((state) => ({ value: state, label: state })) },
    proven: {
      phone_number: number(view.phone),
      guardian_phone: number(view.guardian),
      coupon_code: view.price.coupon,
    },
  };
}

/** The form as it is drawn in its present state. */
export const formState = (view: View): FormState => ({
  form,
  env: envOf(view),
  values: view.values,
  faults: view.faults,
  focus: view.focus,
  open: view.open,
});
