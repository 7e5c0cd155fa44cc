// What can happen in the enrolment form.
import type { Fault } from "../forms/check.ts";
import type { ActionEvents, Moment } from "../forms/island.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Challenge } from "../runtime/human.ts";
import type { Draft } from "./draft.ts";
import type { State, Whose } from "./state.ts";
import type { Notice } from "./view.ts";

/** Each event by name, with its data. */
export interface Events extends ActionEvents {
  /** The island has started over a form that may have been refused already. */
  started: { faults: Fault[]; paymentPending: boolean };
  restored: { draft: Draft; held: string[] };
  /** A field has changed. byVisitor: by input, which makes a sent form a draft again. */
  edited: { name: string; value: string; byVisitor: boolean };
  /** The focus has left a field. judge: its faults may show now. */
  left: { name: string; judge: boolean };
  judged: object;
  /** The focus goes to a field, by Enter in the one before it or by the button that opens it. */
  entered: { name: string };
  /** A completed step was folded and the next one opened. */
  wentOn: { step: string };
  /** The visitor goes to payment: completed steps fold, and the payment button gets the focus. */
  wentToPay: object;
  /** A completed step was opened. */
  reopened: { step: string };
  /** A group was folded or unfolded. */
  folded: { group: string; open: boolean };
  /** A button was pressed that needs valid fields; the first invalid one takes the focus. */
  needed: { fields: readonly string[] };

  notified: { text: string; look?: Notice["look"]; at?: string };
  /**
   * The server has rejected a call: shown at its fields, or as a sentence at one field. wire: our names of fields that the API
   * names differently. heard: the focus is moving there, so screen readers read the message anyway.
   */
  refused: { answer: Refusal; at: string; wire?: Record<string, string>; heard?: boolean };
  /** The server, or a rule outside the form's data, rejects fields. */
  faulted: { faults: Fault[]; status?: string; focus?: string };

  codeSent: {
    whose: Whose;
    number: string;
    requestId: string;
    resendAfter: number;
    expiresAt: number;
    request: object;
  };
  /** The visitor switches between the code's field and the number's. */
  numberWanted: { whose: Whose };
  codeWanted: { whose: Whose };
  codeResent: { whose: Whose; resendAfter: number; expiresAt: number };
  /** The server refuses to send or resend a code to a number for now. why: a sentence. work: after it a code is sent at once. */
  codeLimited: { whose: Whose; number: string; resendAfter: number; why: string; work?: Challenge | undefined };
  resendLimited: { whose: Whose; resendAfter: number };
  codeEnded: { whose: Whose; message: string; resendAfter: number };
  codeWrong: { whose: Whose; digits: string; answer: Refusal };
  verified: { whose: Whose; number: string };
  secondsPassed: { seconds: number };

  /** Price with the coupon, and the discount, formatted. */
  couponApplied: { coupon: string; final: string; saved: string };
  couponRemoved: object;
  /** A rejected coupon was dropped. */
  couponLeftOut: object;
  referralAsked: { code: string };
  referralApplied: { code: string; message: string };

  /** Pay was pressed with steps left to do. */
  pressedEarly: object;
  /** Pay was pressed with all steps done: every field is checked from now on. */
  paymentAsked: object;
  incomplete: { faults: Fault[] };
  enrolled: object;
  paymentRefused: { answer: Refusal };
  leaving: object;
  /** The page has returned from the back/forward cache. */
  returned: { paymentPending: boolean };
  online: object;
}

export type Event<K extends keyof Events = keyof Events> = { [P in K]: { type: P } & Events[P] }[K];

/** Part of the table from events to state changes. */
export type Reducers<K extends keyof Events> = {
  [P in K]: (state: State, event: Event<P>, moment: Moment) => State;
};
