// The enrolment form's draft in session storage until payment, restored after a reload or when a phone has discarded the tab.
// One-time codes are not stored. The server checks the verification and the coupon again when the form is sent.
import * as z from "zod/mini";
import { parseJSON } from "../runtime/schema.ts";
import { load, remove, save, saveText, typedName } from "../runtime/storage.ts";
import { form, type Proof, unproven } from "./view.ts";

/** State of a phone's verification. */
const storedProof = z.object({
  phase: z.literal(["none", "sent", "verified"]),
  requestId: z.string(),
  number: z.string(),
  /** When the code may be sent again and when it expires, ms since 1970: countdowns continue while the page is closed. */
  resendAt: z.number(),
  expiresAt: z.number(),
});
export type StoredProof = z.infer<typeof storedProof>;

const stored = z.object({
  /** Time of storage, ms since 1970. */
  at: z.number(),
  values: z.record(z.string(), z.string()),
  phone: storedProof,
  guardian: storedProof,
  /** The applied coupon. */
  coupon: z.string(),
  /** The steps that the visitor has gone on from. */
  passed: z.optional(z.array(z.string())),
});
export type Draft = Omit<z.infer<typeof stored>, "at">;

/** Storage key of the event's code while this tab's enrolment awaits payment. */
export const openEnrolment = "enrolment:open";
const oneTime = form.fields.filter(({ kind }) => kind === "otp").map(({ name }) => name);
const lifetime = 2 * 60 * 60 * 1000; // ms without a change: a tab may stay open for weeks, and another person may use the phone
const nameOf = (event: string) => `enrolment:draft:${event}`;

/** Returns the draft of an event's form. Removes an expired or unreadable draft. */
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

/** Deletes the phone number and its verification from a draft, and stores the typed first name, which the next page shows. */
export function forgetNumber(event: string): void {
  const draft = loadDraft(event);
  if (!draft) return;
  const { phone_number, otp, ...values } = draft.values;
  saveDraft(event, { ...draft, values, phone: toStored(unproven, 0, 0) });
  saveText(typedName, firstName(values.fullname));
}

/** Stores that this tab's enrolment awaits payment. runtime deletes it on a page that shows a paid payment. */
export function savePaymentPending(event: string): void {
  save(openEnrolment, event);
  remove(typedName); // the visitor isn't continuing with another number
}
export const isPaymentPending = (event: string): boolean => parseJSON(z.string(), load(openEnrolment)) === event;

export function toStored(
  { phase, requestId, number, resendAfter }: Proof,
  expiresAt: number,
  now: number,
): StoredProof {
  return { phase, requestId, number, resendAt: now + resendAfter * 1000, expiresAt };
}

/** Returns the verification of the form's number; none if its code has expired. */
export function fromStored(stored: StoredProof, typed: string, now: number): Proof {
  const { phase, requestId, number, resendAt, expiresAt } = stored;
  if (number !== typed || phase === "none" || (phase === "sent" && (!requestId || now >= expiresAt))) return unproven;
  return { phase, requestId, number, resendAfter: Math.max(0, Math.ceil((resendAt - now) / 1000)) };
}
