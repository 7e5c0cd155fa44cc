// The island's state, apart from the fields' values.
import type { Refusal } from "../runtime/api.ts";
import type { StoredProof } from "./draft.ts";
import type { Proof, View } from "./view.ts";

/** Whose phone a proof speaks of: the applicant's own, or the guardian's. */
export type Whose = "phone" | "guardian";
export const people = ["phone", "guardian"] as const;

/** What differs between the proof of one's own phone and the guardian's. */
export const names = {
  phone: {
    number: "phone_number",
    code: "otp",
    before: ["fullname", "email", "phone_number"], // must be right before a code is sent
    label: "Mobile number",
    send: "send-code",
    verify: "verify",
    resend: "resend",
    change: "change-number",
  },
  guardian: {
    number: "guardian_phone",
    code: "guardian_otp",
    before: ["guardian_name", "guardian_phone"],
    label: "Guardian’s mobile number",
    send: "send-guardian-code",
    verify: "verify-guardian",
    resend: "resend-guardian",
    change: "change-number-guardian",
  },
} as const;

/** State of a phone's code, apart from its proof. */
export interface Code {
  /** When the open code ends at the latest, ms since 1970. */
  expiresAt: number;
  /** What it was asked for with, which its check repeats. */
  request: object | undefined;
  /** The code that was refused last: each try counts, so the same one is never sent twice. */
  wrong: { digits: string; answer: Refusal } | undefined;
  /** How far the number had come that was typed before. */
  earlier: StoredProof | undefined;
}

export interface State {
  view: View;
  /** Whether the visitor has enrolled here before, and has not paid. */
  paymentPending: boolean;
  /** The fields that are judged: those that were left, or that a button needed. */
  touched: ReadonlySet<string>;
  /** What only the server knows to be wrong, by field, while its value stays. */
  serverFaults: ReadonlyMap<string, { message: string; value: string }>;
  codes: Record<Whose, Code>;
  /** The referral code that was asked about last. */
  referralAsked: string;
  /** What was read out last. */
  heard: string;
  /** The steps that the visitor has gone on from, by name. */
  passed: readonly string[];
  /** Whether the form is a draft: until it is accepted. */
  isDraft: boolean;
  leaving: boolean;
  /** The field, or "summary", to focus once rendered; a new value for each request. */
  focus: { name: string } | undefined;
}

/** @param now ms since 1970 */
export function stateOf(view: View, now: number): State {
  const code = { expiresAt: now + 600_000, request: undefined, wrong: undefined, earlier: undefined };
  return {
    view,
    paymentPending: false,
    touched: new Set(),
    serverFaults: new Map(),
    codes: { phone: code, guardian: code },
    referralAsked: "",
    heard: view.status,
    passed: view.steps.filter(({ state }) => state === "done").map(({ name }) => name),
    isDraft: true,
    leaving: false,
    focus: undefined,
  };
}

export const withView = (state: State, change: Partial<View>): State => ({
  ...state,
  view: { ...state.view, ...change },
});

export const withProof = (state: State, whose: Whose, change: Partial<Proof>): State =>
  withView(state, { [whose]: { ...state.view[whose], ...change } });

export const withCode = (state: State, whose: Whose, change: Partial<Code>): State => ({
  ...state,
  codes: { ...state.codes, [whose]: { ...state.codes[whose], ...change } },
});
