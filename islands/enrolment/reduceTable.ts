// Table of the reducer's tests: state, event, next state. Needs no page and no clock.
import { expect, test } from "vitest";
import type { Values } from "../forms/check.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Draft } from "./draft.ts";
import type { Event } from "./events.ts";
import { reduce } from "./reduce.ts";
import { type State, stateOf } from "./state.ts";
import initial from "./testdata/initial.json";
import { unproven, type View, viewSchema } from "./view.ts";

export const now = 1_000_000_000;
export const phone = "9876543210";
export const other = "9876543211";
export const person: Values = { fullname: "Asha Verma", email: "asha@example.com", phone_number: phone };
export const view = viewSchema.parse(initial);

type Change = Partial<Omit<State, "view">> & { view?: Partial<View> };
export const state = ({ view: changed, ...rest }: Change = {}): State => ({
  ...stateOf({ ...view, ...changed }, now),
  ...rest,
});
export const touched = (...fields: string[]) => ({ touched: new Set(fields) });
export const wrong = (field: string, message: string, value = "") => ({
  serverFaults: new Map([[field, { message, value }]]),
});
export const sent = { phase: "sent", requestId: "r1", number: phone, resendAfter: 60 } as const;
export const verified = { ...unproven, phase: "verified", number: phone } as const;
export const priced = { ...view.price, coupon: "HALFPRICE", saved: "₹749.50", final: "₹749.50" };
export const refusal = (status: number, message: string, errors: Record<string, string> = {}): Refusal => ({
  ok: false,
  status,
  message,
  errors,
  retryAfter: 0,
});
export const stored = { ...sent, resendAt: now + 20_000, expiresAt: now + 60_000 };
const nobody = { phase: "none", requestId: "", number: "", resendAt: 0, expiresAt: 0 } as const;
export const draft: Draft = { values: {}, phone: nobody, guardian: nobody, coupon: "" };
export const code = { expiresAt: 0, request: undefined, wrong: undefined, earlier: undefined };
export const edited = (name: string, value: string): Event => ({ type: "edited", name, value, byVisitor: true });

export const invalid = "Invalid OTP";
export const required = "Full name is required.";
export const offline = "Not sent: you are offline. Please try again once you are online.";

export type Row = [sentence: string, before: State, event: Event, typed: Values, after: object];

export function table(rows: Row[]): void {
  test.each(rows)("%s", (_, before, event, typed, after) => {
    const copy = structuredClone(before);
    expect(reduce(before, event, { typed, now })).toMatchObject(after);
    expect(before).toEqual(copy); // pure
  });
}
