// The draft of the enrolment form, until it is paid: what comes back after a reload, or in a tab that the phone put to sleep.
// No one-time code is kept. Whether a number is verified and a coupon counts, the server judges again when it is sent.
import type { Values } from "../forms/check.ts";
import { forget, keep, kept } from "../runtime/kept.ts";
import { form, type Proof, unproven } from "./view.ts";

/** How far the proof of a phone had come. */
export interface KeptProof {
  phase: Proof["phase"];
  requestId: string;
  number: string;
  /** When the code may be sent again, and until when it counts: ms since 1970. A countdown goes on without the page. */
  resendAt: number;
  expiresAt: number;
}

export interface Draft {
  values: Values;
  phone: KeptProof;
  guardian: KeptProof;
  /** The coupon that was applied. */
  coupon: string;
}

/** Holds the code of the event in which this tab has enrolled without having paid yet. */
export const openEnrolment = "enrolment:open";
const secret = ["otp", "guardian_otp"];
const life = 2 * 60 * 60 * 1000; // ms without a change: a tab may live for weeks, and its phone have another user
const named = (event: string) => `enrolment:draft:${event}`;

export function draftOf(event: string): Draft | undefined {
  const { at = 0, ...draft } = kept<Draft & { at: number }>(named(event)) ?? {};
  if (Date.now() - at < life) return draft as Draft;
  forgetDraft(event);
  return undefined;
}
export const forgetDraft = (event: string): void => forget(named(event));

/** That this tab's enrolment in an event waits for its payment. runtime forgets all where a payment is seen to be paid. */
export const keepOpen = (event: string): void => keep(openEnrolment, event);
export const isOpen = (event: string): boolean => kept(openEnrolment) === event;

/** Keeps a draft, unless the form is empty. */
export function keepDraft(event: string, { values, ...rest }: Draft): void {
  const typed = Object.entries(values).filter(([name, value]) => value && !secret.includes(name));
  if (typed.length === 0) forgetDraft(event);
  else keep(named(event), { at: Date.now(), values: Object.fromEntries(typed), ...rest });
}

export function keptProof({ phase, requestId, number, resendAfter }: Proof, expiresAt: number): KeptProof {
  return { phase, requestId, number, resendAt: Date.now() + resendAfter * 1000, expiresAt };
}

/** The proof as it stands now, for the number that stands in the form now. A code that has ended is no proof. */
export function proofOf({ phase, requestId, number, resendAt, expiresAt }: KeptProof, typed: string): Proof {
  const now = Date.now();
  if (number !== typed || phase === "none" || (phase === "sent" && (!requestId || now >= expiresAt))) return unproven;
  return { phase, requestId, number, resendAfter: Math.max(0, Math.ceil((resendAt - now) / 1000)) };
}

/**
 * Writes what was typed and chosen back into the form. A field that holds something else by now, typed before the script
 * had loaded or written by the server, keeps it.
 */
export function restore(element: HTMLFormElement, values: Values): void {
  for (const { name } of form.fields) {
    const value = values[name];
    if (!value) continue;
    for (const field of element.querySelectorAll<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`)) {
      if (field instanceof HTMLInputElement && field.type === "checkbox") {
        if (field.checked === field.defaultChecked) field.checked = value.split(",").includes(field.value);
      } else if (field.value === "") field.value = value;
    }
  }
}
