// What can happen in the enrolment form.
import type { Fault } from "../forms/check.ts";
import type { ActionEvents, Moment } from "../forms/island.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Draft } from "./draft.ts";
import type { State, Whose } from "./state.ts";
import type { Notice } from "./view.ts";

/** Each event by name, with what is known of it. */
export interface Events extends ActionEvents {
  /** The island has started over a form that may have been refused already. */
  started: { faults: Fault[]; paymentPending: boolean };
  restored: { draft: Draft; held: string[] };
  /** A field has another value. byVisitor: as typed or chosen, which makes a draft of what was sent before. */
  edited: { name: string; value: string; byVisitor: boolean };
  /** The focus has left a field. judge: its faults may show now. */
  left: { name: string; judge: boolean };
  judged: object;
  /** A step that is filled in is folded, and the next one stands open. */
  wentOn: { step: string };
  /** The visitor has turned to the payment: what is done is folded, and the button that leads there takes the focus. */
  wentToPay: object;
  /** A step that was done is opened. */
  reopened: { step: string };
  /** A group was folded or unfolded. */
  folded: { group: string; open: boolean };
  /** A button needs fields to be right; the first at fault takes the focus. */
  needed: { fields: readonly string[] };

  notified: { text: string; look?: Notice["look"]; at?: string };
  /**
   * The server has refused a call: shown at its fields, or as a sentence at a field. wire: fields that the wire calls
   * otherwise. heard: the focus is moving there, which reads the message out.
   */
  refused: { answer: Refusal; at: string; wire?: Record<string, string>; heard?: boolean };
  /** The server, or a rule beside the form's, knows fields to be wrong. */
  faulted: { faults: Fault[]; status?: string; focus?: string };

  codeAsked: { whose: Whose };
  codeSent: {
    whose: Whose;
    number: string;
    requestId: string;
    resendAfter: number;
    expiresAt: number;
    request: object;
  };
  /** The visitor goes back from a code to its number, or forth again with the same one. */
  numberWanted: { whose: Whose };
  codeWanted: { whose: Whose };
  codeResent: { whose: Whose; resendAfter: number; expiresAt: number };
  /** The server sends no code to a number now, or none again. */
  codeLimited: { whose: Whose; number: string; resendAfter: number };
  resendLimited: { whose: Whose; resendAfter: number };
  codeWrong: { whose: Whose; digits: string; answer: Refusal };
  verified: { whose: Whose; number: string };
  secondsPassed: { seconds: number };

  /** The price with it, and what it takes off, as they are read. */
  couponApplied: { coupon: string; final: string; saved: string };
  couponRemoved: object;
  /** One that does not count is given up. */
  couponLeftOut: object;
  referralAsked: { code: string };
  referralApplied: { code: string; message: string };

  /** The visitor wants to pay: every field is judged from now on. */
  paymentAsked: object;
  incomplete: { faults: Fault[] };
  enrolled: object;
  paymentRefused: { answer: Refusal };
  leaving: object;
  /** The browser has brought the page back from memory. */
  returned: { paymentPending: boolean };
  online: object;
}

export type Event<K extends keyof Events = keyof Events> = { [P in K]: { type: P } & Events[P] }[K];

/** The part of the table that says what becomes of the state. */
export type Reducers<K extends keyof Events> = {
  [P in K]: (state: State, event: Event<P>, moment: Moment) => State;
};
