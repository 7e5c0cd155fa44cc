import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { load, typedName } from "../runtime/storage.ts";
import {
  forgetNumber,
  fromStored,
  isPaymentPending,
  loadDraft,
  openEnrolment,
  removeDraft,
  saveDraft,
  savePaymentPending,
  toStored,
} from "./draft.ts";
import { type Proof, unproven } from "./view.ts";

const minute = 60_000;
const phone = "9876543210";
const of = (phase: Proof["phase"]): Proof => ({ phase, requestId: "r1", number: phone, resendAfter: 60 });
const nobody = toStored(unproven, 0, 0);

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a draft", () => {
  const draft = { values: { fullname: "Asha", email: "" }, phone: nobody, guardian: nobody, coupon: "" };

  test("of a visitor continuing with another number tells the next pages, until that visitor's own payment", () => {
    saveDraft("KS_Mgrow", { ...draft, values: { fullname: "Asha Rao", phone_number: phone } });
    forgetNumber("KS_Mgrow");
    expect(load(typedName)).toBe("Asha");
    savePaymentPending("KS_Mgrow");
    expect(load(typedName)).toBe("");
  });

  test("is stored for its event until deleted", () => {
    saveDraft("KS_Mgrow", draft);
    expect(loadDraft("KS_Mgrow")).toEqual({ ...draft, values: { fullname: "Asha" } });
    expect(loadDraft("KS_Campus")).toBeUndefined();
    removeDraft("KS_Mgrow");
    expect(sessionStorage).toHaveLength(0);
  });

  test("contains no one-time code", () => {
    saveDraft("KS_Mgrow", { ...draft, values: { fullname: "Asha", otp: "123456", guardian_otp: "654321" } });
    expect(loadDraft("KS_Mgrow")?.values).toEqual({ fullname: "Asha" });
  });

  test("of an empty form is not stored", () => {
    saveDraft("KS_Mgrow", draft);
    saveDraft("KS_Mgrow", { ...draft, values: { fullname: "" } });
    expect(sessionStorage).toHaveLength(0);
  });

  test("keeps all but a number that belongs to another person", () => {
    const typed = { fullname: "Meera", phone_number: phone, course: "Blockchain" };
    saveDraft("KS_Mgrow", { ...draft, values: typed, phone: toStored(of("sent"), minute, 0), passed: ["you"] });
    forgetNumber("KS_Mgrow");
    const values = { fullname: "Meera", course: "Blockchain" };
    expect(loadDraft("KS_Mgrow")).toEqual({ ...draft, values, phone: nobody, passed: ["you"] });
    expect(sessionStorage.getItem("visit:typed-name")).toBe("Meera");
    forgetNumber("KS_Campus");
    expect(loadDraft("KS_Campus")).toBeUndefined();
  });

  test.each([
    ["Meera Rao", "Meera"],
    [" K. Anand ", "K. Anand"],
    ["A Verma", "A Verma"],
  ])("tells who goes on with another number: %s", (fullname, name) => {
    saveDraft("KS_Mgrow", { ...draft, values: { fullname } });
    forgetNumber("KS_Mgrow");
    expect(sessionStorage.getItem("visit:typed-name")).toBe(name);
  });

  test("ends two hours after the last change", () => {
    saveDraft("KS_Mgrow", { ...draft, values: { fullname: "Ash" } });
    vi.advanceTimersByTime(60 * minute);
    saveDraft("KS_Mgrow", { ...draft, values: { fullname: "Asha" } });
    vi.advanceTimersByTime(120 * minute - 1);
    expect(loadDraft("KS_Mgrow")?.values).toEqual({ fullname: "Asha" });
    vi.advanceTimersByTime(1);
    expect(loadDraft("KS_Mgrow")).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });

  const whole = { at: Date.now(), ...draft };
  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a draft without its time", JSON.stringify({ ...whole, at: undefined })],
    ["a draft with a value that is no text", JSON.stringify({ ...whole, values: { fullname: 7 } })],
    ["a draft with a phase that we do not know", JSON.stringify({ ...whole, phone: { ...nobody, phase: "lost" } })],
    ["a draft without the guardian", JSON.stringify({ ...whole, guardian: undefined })],
  ])("that somebody else wrote there is none, and is removed: %s", (_, text) => {
    sessionStorage.setItem("enrolment:draft:KS_Mgrow", text);
    expect(loadDraft("KS_Mgrow")).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });

  test.each([
    ["its code", '"KS_Mgrow"', true],
    ["another event's code", '"KS_Campus"', false],
    ["something else", '["KS_Mgrow"]', false],
    ["no JSON", "KS_Mgrow", false],
  ])("that waits for its payment is known by %s", (_, text, pending) => {
    sessionStorage.setItem(openEnrolment, text);
    expect(isPaymentPending("KS_Mgrow")).toBe(pending);
  });
});

describe("a verification", () => {
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
    const stored = toStored(proof, Date.now() + 10 * minute, Date.now());
    vi.advanceTimersByTime(later);
    expect(fromStored(stored, typed, Date.now())).toEqual(now);
  });
});
