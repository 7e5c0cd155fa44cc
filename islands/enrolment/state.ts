// The island's state, apart from the fields' values.
import type { Refusal } from "../runtime/api.ts";
import type { Challenge } from "../runtime/human.ts";
import type { StoredProof } from "./draft.ts";
import type { Proof, View } from "./view.ts";

/** Whose phone is verified: the applicant's or the guardian's. */
export type Whose = "phone" | "guardian";
export const people = ["phone", "guardian"] as const;

/** What differs between verifying the applicant's phone and the guardian's. */
export const names = {
  phone: {
    number: "phone_number",
    code: "otp",
    before: ["fullname", "email", "phone_number"], // must be valid before a code is sent
    label: "Mobile number",
    send: "send-code",
    verify: "verify",
    resend: "resend",
    change: "change-number",
    keep: "keep-number",
  },
  guardian: {
    number: "guardian_phone",
    code: "guardian_otp",
    before: ["guardian_name", "guardian_phone", "guardian_shares_phone", "guardian_relation", "guardian_birth_year"],
    label: "Guardian’s mobile number",
    send: "send-guardian-code",
    verify: "verify-guardian",
    resend: "resend-guardian",
    change: "change-number-guardian",
    keep: "keep-number-guardian",
  },
} as const;

/** State of a phone's code that the view does not show. */
export interface Code {
  /** Latest expiry of the open code, ms since 1970. */
  expiresAt: number;
  /** Values of the request for the code, which its check repeats. */
  request: object | undefined;
  /** What the browser computes before the server sends a code, if it asks for that. */
  work?: Challenge | undefined;
  /** The last rejected code. It is never sent twice, because the server limits wrong codes. */
  wrong: { digits: string; answer: Refusal } | undefined;
  /** Verification state of the previously typed number. */
  earlier: StoredProof | undefined;
}

export interface State {
  view: View;
  /** Whether this tab has an unpaid enrolment. */
  paymentPending: boolean;
  /** Fields whose errors may show: the visitor has left them, or a button needed them. */
  touched: ReadonlySet<string>;
  /** The server's errors by field, each until its value changes. */
  serverFaults: ReadonlyMap<string, { message: string; value: string }>;
  codes: Record<Whose, Code>;
  /** The referral code of the last look-up. */
  referralAsked: string;
  /** The last announcement. */
  heard: string;
  /** Names of the steps that the visitor has gone on from; pressing Pay adds all. They are completed only while valid. */
  passed: readonly string[];
  /** Whether the form is a draft; false once the server has accepted it. */
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
