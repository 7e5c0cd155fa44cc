// The enrolment form's draft until payment: restored after a reload, or in a tab that the phone has discarded.
// No one-time code is stored. Whether a number is verified and a coupon counts, the server judges again when it is sent.
import * as z from "zod/mini";
import { parseJSON } from "../runtime/schema.ts";
import { load, remove, save, saveText, typedName } from "../runtime/storage.ts";
import { form, type Proof, unproven } from "./view.ts";

/** How far the proof of a phone had come. */
const storedProof = z.object({
  phase: z.literal(["none", "sent", "verified"]),
  requestId: z.string(),
  number: z.string(),
  /** When the code may be sent again, and its expiry: ms since 1970. Countdowns run without the page. */
  resendAt: z.number(),
  expiresAt: z.number(),
});
export type StoredProof = z.infer<typeof storedProof>;

const stored = z.object({
  /** When it was stored, ms since 1970. */
  at: z.number(),
  values: z.record(z.string(), z.string()),
  phone: storedProof,
  guardian: storedProof,
  /** The coupon that was applied. */
  coupon: z.string(),
  /** The steps that the visitor has gone on from. */
  passed: z.optional(z.array(z.string())),
});
export type Draft = Omit<z.infer<typeof stored>, "at">;

/** Holds the code of the event in which this tab has enrolled without having paid yet. */
export const openEnrolment = "enrolment:open";
const oneTime = form.fields.filter(({ kind }) => kind === "otp").map(({ name }) => name);
const lifetime = 2 * 60 * 60 * 1000; // ms without a change: a tab may live for weeks, and its phone have another user
const nameOf = (event: string) => `enrolment:draft:${event}`;

/** Returns the draft of an event's form. One that is too old, or that this script cannot read, is removed. */
export function loadDraft(event: string): Draft | undefined {
  const found = parseJSON(stored, load(nameOf(event)));
  if (found && Date.now() - found.at < lifetime) {
    const { at, ...draft } = found;
    return draft;
  }
  removeDraft(event);
  return undefined;
}
export const removeDraft = (event: string): void => remove(nameOf(event));

/** Stores a draft, unless the form is empty. */
export function saveDraft(event: string, { values, ...rest }: Draft): void {
  const typed = Object.entries(values).filter(([name, value]) => value && !oneTime.includes(name));
  if (typed.length === 0) removeDraft(event);
  else save(nameOf(event), { at: Date.now(), values: Object.fromEntries(typed), ...rest });
}

/** Returns the first name, as content.FirstName does. */
function firstName(fullName = ""): string {
  const [first = ""] = fullName.trim().split(" ");
  return first.includes(".") || first.length === 1 ? fullName.trim() : first;
}

/** Takes the number of the phone out of a draft, with its proof, and tells the next page who goes on with another. */
export function forgetNumber(event: string): void {
  const draft = loadDraft(event);
  if (!draft) return;
  const { phone_number, otp, ...values } = draft.values;
  saveDraft(event, { ...draft, values, phone: toStored(unproven, 0, 0) });
  saveText(typedName, firstName(values.fullname));
}

/** That this tab's enrolment in an event waits for its payment. runtime clears it where a payment is seen to be paid. */
export function savePaymentPending(event: string): void {
  save(openEnrolment, event);
  remove(typedName); // nobody goes on with another number
}
export const isPaymentPending = (event: string): boolean => parseJSON(z.string(), load(openEnrolment)) === event;

export function toStored(
  { phase, requestId, number, resendAfter }: Proof,
  expiresAt: number,
  now: number,
): StoredProof {
  return { phase, requestId, number, resendAt: now + resendAfter * 1000, expiresAt };
}

/** Returns the proof of the form's number; none if the code has expired. */
export function fromStored(stored: StoredProof, typed: string, now: number): Proof {
  const { phase, requestId, number, resendAt, expiresAt } = stored;
  if (number !== typed || phase === "none" || (phase === "sent" && (!requestId || now >= expiresAt))) return unproven;
  return { phase, requestId, number, resendAfter: Math.max(0, Math.ceil((resendAt - now) / 1000)) };
}
