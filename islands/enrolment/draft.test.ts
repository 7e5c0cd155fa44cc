import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { draftOf, forgetDraft, keepDraft, keptProof, proofOf } from "./draft.ts";
import { type Proof, unproven } from "./view.ts";

const minute = 60_000;
const phone = "9876543210";
const of = (phase: Proof["phase"]): Proof => ({ phase, requestId: "r1", number: phone, resendAfter: 60 });
const nobody = keptProof(unproven, 0);

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a draft", () => {
  const draft = { values: { fullname: "Asha", email: "" }, phone: nobody, guardian: nobody, coupon: "" };

  test("is kept for its event, until it is forgotten", () => {
    keepDraft("KS_Mgrow", draft);
    expect(draftOf("KS_Mgrow")).toEqual({ ...draft, values: { fullname: "Asha" } });
    expect(draftOf("KS_Campus")).toBeUndefined();
    forgetDraft("KS_Mgrow");
    expect(sessionStorage).toHaveLength(0);
  });

  test("holds no one-time code", () => {
    keepDraft("KS_Mgrow", { ...draft, values: { fullname: "Asha", otp: "123456", guardian_otp: "654321" } });
    expect(draftOf("KS_Mgrow")?.values).toEqual({ fullname: "Asha" });
  });

  test("of an empty form is none", () => {
    keepDraft("KS_Mgrow", draft);
    keepDraft("KS_Mgrow", { ...draft, values: { fullname: "" } });
    expect(sessionStorage).toHaveLength(0);
  });

  test("ends two hours after the last change", () => {
    keepDraft("KS_Mgrow", { ...draft, values: { fullname: "Ash" } });
    vi.advanceTimersByTime(60 * minute);
    keepDraft("KS_Mgrow", { ...draft, values: { fullname: "Asha" } });
    vi.advanceTimersByTime(120 * minute - 1);
    expect(draftOf("KS_Mgrow")?.values).toEqual({ fullname: "Asha" });
    vi.advanceTimersByTime(1);
    expect(draftOf("KS_Mgrow")).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });

  test("that somebody else wrote there is none", () => {
    sessionStorage.setItem("enrolment:draft:KS_Mgrow", "{");
    expect(draftOf("KS_Mgrow")).toBeUndefined();
  });
});

describe("a proof", () => {
  test.each([
    ["a code that was just sent", of("sent"), 0, phone, of("sent")],
    ["20 seconds later", of("sent"), 20_000, phone, { ...of("sent"), resendAfter: 40 }],
    ["9 minutes later", of("sent"), 9 * minute, phone, { ...of("sent"), resendAfter: 0 }],
    ["10 minutes later", of("sent"), 10 * minute, phone, unproven],
    ["without a request of its own", { ...of("sent"), requestId: "" }, 0, phone, unproven],
    ["of another number", of("sent"), 0, "9876543211", unproven],
    ["of a verified number, an hour later", of("verified"), 60 * minute, phone, { ...of("verified"), resendAfter: 0 }],
    ["of none", unproven, 0, phone, unproven],
  ])("%s", (_, proof, later, typed, now) => {
    const stored = keptProof(proof, Date.now() + 10 * minute);
    vi.advanceTimersByTime(later);
    expect(proofOf(stored, typed)).toEqual(now);
  });
});
