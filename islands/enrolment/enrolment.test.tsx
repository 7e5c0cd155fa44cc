// The island in front of a server that is made up: what it asks, what it shows, and what it leaves alone.
import { readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import indianNumbers from "../../forms/testdata/indian-numbers.json";
import { clearStorage, remove, save } from "../runtime/storage.ts";
import { openEnrolment } from "./draft.ts";
import { tidy } from "./input.ts";
import start, { mount } from "./main.tsx";
import { money } from "./money.ts";
import type { View } from "./view.ts";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
vi.setConfig({ testTimeout: 30_000 }); // of a machine that is busy with other tests

const verification = "/scholarship/v1/user-verification-request";
const verify = "/scholarship/v1/user-request-verify";
const resend = "/ks-website/v1/resend-otp-for-scholarship-request";
const known = "/ks-website/v1/check-scholarship-registered-phone";
const coupon = "/scholarship/v1/apply-coupon";
const create = "/scholarship/v1/create-scholarship-request";
const initiate = "/payments/v1/initiate-payment";

type Reply = Response | Error | Promise<Response>;
interface Call {
  path: string;
  body: Record<string, unknown>;
}

let root: Root | undefined;
let calls: Call[];
let replies: Record<string, Reply[]>;
const go = vi.fn();

const ok = (body: object = {}) => Response.json({ success: true, isOk: true, message: "Fine.", ...body });
const refusal = (status: number, message: string, errors: Record<string, string> = {}, headers = {}) =>
  Response.json({ success: false, isOk: false, code: status, message, errors }, { status, headers });

/** Stands a state of testdata up in a document, and hydrates it. Some values are typed early: before the script has loaded. */
function at(state: string, early: Record<string, string> = {}): View {
  const read = (extension: string) =>
    readFileSync(`${import.meta.dirname}/testdata/${state}.${extension}`, "utf8").trimEnd();
  const element = document.createElement("div");
  element.innerHTML = read("html");
  document.title = "HireSure";
  document.body.append(element);
  for (const [name, value] of Object.entries(early)) input(name).value = value;
  const view: View = JSON.parse(read("json"));
  act(() => {
    root = mount(element, view, go);
  });
  return view;
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  replies = { [known]: [] };
  go.mockReset();
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (path === "/human/challenge") return new Response("", { status: 404 }); // CAPTCHA=off
    calls.push({ path, body: init.body ? JSON.parse(String(init.body)) : {} });
    const reply = replies[path]?.shift() ?? (path === known ? ok() : new Error(`nobody answers ${path}`));
    if (reply instanceof Error) throw reply;
    return reply;
  });
});

afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function find<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}
const input = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
const error = (name: string) => document.querySelector(`#e-${name}`)?.textContent ?? "";
const status = () => find('[role="status"]').textContent;
const summary = () => Array.from(document.querySelectorAll(".error-summary li"), (item) => item.textContent);
const button = (value: string) => find<HTMLButtonElement>(`button[value="${value}"]`);
const settle = () => act(async () => vi.advanceTimersByTimeAsync(50));
const paths = () => calls.map(({ path }) => path);
const bodyOf = (path: string) => calls.find((call) => call.path === path)?.body;

async function type(values: Record<string, string | boolean>) {
  for (const [name, value] of Object.entries(values)) {
    const field = input(name);
    act(() => {
      if (typeof value === "boolean") field.checked = value;
      else field.value = value;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
  }
  await settle();
}

async function press(value: string) {
  act(() => {
    find("form").dispatchEvent(
      new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button(value) }),
    );
  });
  await settle();
}

const started = (amount = 1499, currency = "INR") =>
  ok({ transactionResponse: { checkout_url: "/checkout/t1", amount, currency } });

const person = { fullname: "Asha Verma", email: "asha@example.com", phone_number: "9876543210" };

async function sent() {
  at("initial");
  await type(person);
  replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
  await press("send-code");
}

describe("while typing", () => {
  test("a field is judged when it is left, then with each change", async () => {
    at("initial");
    await type({ email: "asha" });
    expect(error("email")).toBe("");
    act(() => {
      input("email").focus();
      input("email").blur();
    });
    expect(error("email")).toBe("Please enter full name.");
    await type({ fullname: "Asha" });
    expect(error("email")).toBe("Enter a valid email address.");
    await type({ email: "asha@example.com" });
    expect(error("email")).toBe("");
  });

  test("a message waits until the finger is off the button", async () => {
    at("initial");
    act(() => {
      input("fullname").focus();
      input("fullname").dispatchEvent(new Event("pointerdown", { bubbles: true }));
      input("fullname").blur();
    });
    expect(error("fullname")).toBe("");
    act(() => {
      window.dispatchEvent(new Event("pointerup"));
    });
    await settle();
    expect(error("fullname")).toBe("Full name is required.");
  });

  test.each([
    ["fullname", "  Asha Verma ", "Asha Verma "],
    ["email", " asha @example.com ", "asha@example.com"],
    ["phone_number", "+91 98765 43210", "9876543210"],
    ["phone_number", "098765-43210", "9876543210"],
    ["phone_number", "919876543210", "9876543210"],
    ["phone_number", "98765", "98765"],
    ["guardian_phone", "0091 98765 43210", "9876543210"],
    ["otp", "123 456", "123 456"],
  ])("%s keeps of %j %j", (name, typed, kept) => expect(tidy(name, typed)).toBe(kept));

  test.each(indianNumbers)(
    "of the number $typed $kept is kept, however early it was typed",
    async ({ typed, kept }) => {
      at("initial", { phone_number: typed, guardian_phone: typed });
      expect([input("phone_number").value, input("guardian_phone").value]).toEqual([kept, kept]);
    },
  );

  test("a number that was filled in without a word is tidied when it is left, and when the form is sent", async () => {
    at("initial");
    input("phone_number").value = "+91 98765 00055";
    act(() => input("phone_number").focus());
    act(() => input("phone_number").blur());
    expect(input("phone_number").value).toBe("9876500055");
    input("guardian_phone").value = "09876500066";
    await press("pay");
    expect([input("guardian_phone").value, error("guardian_phone")]).toEqual(["9876500066", "Please verify the OTP."]);
  });

  test("the caret stays where it was when white space goes", async () => {
    at("initial");
    const phone = input("phone_number");
    phone.value = "98 765";
    phone.setSelectionRange(4, 4);
    act(() => {
      phone.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    expect([phone.value, phone.selectionStart]).toEqual(["98765", 3]);
  });

  test("to be an adult folds the guardian away", async () => {
    at("initial");
    const guardian = input("guardian_name").closest("details");
    expect(guardian?.hidden).toBe(false);
    await type({ adult: true });
    expect(guardian?.hidden).toBe(true);
  });
});

describe("the code", () => {
  test("is not asked for without name, e-mail and phone", async () => {
    at("initial");
    await press("send-code");
    expect(calls).toEqual([]);
    expect([error("fullname"), error("email"), error("phone_number")]).toEqual([
      "Full name is required.",
      "Email is required.",
      "Please enter email first.",
    ]);
    expect(document.activeElement).toBe(input("fullname"));
  });

  test("is sent, and its field takes the focus", async () => {
    await sent();
    expect(bodyOf(verification)).toEqual({
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      email: "asha@example.com",
      phone_number: "9876543210",
      country_code: "+91",
    });
    expect(status()).toBe("Code sent to +91 9876543210.");
    expect(document.activeElement).toBe(input("otp"));
  });

  test("says so where the human check is not ready", async () => {
    at("initial");
    await type(person);
    const text = "Execute reCAPTCHA is not ready yet.";
    replies[verification] = [refusal(422, text, { captcha_token: text })];
    await press("send-code");
    expect(find(".notice").textContent).toBe(text);
    expect(input("fullname").value).toBe("Asha Verma");
  });

  test("is checked as soon as six digits stand there, pasted with a space", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123 45" });
    expect(paths()).not.toContain(verify);
    await type({ otp: "123 456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r1", phone_otp: "123456", email: "asha@example.com" });
    expect(status()).toBe("Mobile number verified.");
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    expect(document.querySelector("#f-otp")).toBeNull();
  });

  test("that is wrong stays to be seen, and is not wiped when the field is left", async () => {
    await sent();
    replies[verify] = [refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" })];
    await type({ otp: "123456" });
    expect(error("otp")).toBe("Invalid OTP");
    act(() => input("otp").blur());
    await act(async () => vi.advanceTimersByTimeAsync(1000));
    expect(input("otp").value).toBe("123456");
    expect(error("otp")).toBe("Invalid OTP");
    replies[verify] = [ok()];
    await type({ otp: "654321" });
    expect(status()).toBe("Mobile number verified.");
  });

  test("that is wrong is sent once, however often one presses: each try counts", async () => {
    await sent();
    let answer: (response: Response) => void = () => undefined;
    replies[verify] = [
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
    ];
    await type({ otp: "123456" });
    await press("verify"); // while the check runs
    answer(refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" }));
    await settle();
    for (const typed of ["123456", "123 456 "]) {
      await type({ otp: typed });
      await press("verify");
      expect([error("otp"), status()]).toEqual(["Invalid OTP", "Invalid OTP"]);
    }
    expect(paths().filter((path) => path === verify)).toHaveLength(1);
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    replies[verify] = [ok()];
    await press("resend");
    await press("verify"); // what was sent now may be just that
    expect(status()).toBe("Mobile number verified.");
  });

  test("that could not be checked is sent again", async () => {
    await sent();
    replies[verify] = [new TypeError("Failed to fetch"), ok()];
    await type({ otp: "123456" });
    await press("verify");
    expect(status()).toBe("Mobile number verified.");
  });

  test("counts down, and tells so at 30, 10 and 0 seconds only", async () => {
    await sent();
    const heard = new Set<string | null>();
    for (let second = 0; second < 65; second += 5) {
      await act(async () => vi.advanceTimersByTimeAsync(5000));
      heard.add(status());
    }
    expect([...heard]).toEqual([
      "Code sent to +91 9876543210.",
      "You can ask for the code again in 30 seconds.",
      "You can ask for the code again in 10 seconds.",
      "You can ask for the code again now.",
    ]);
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    await press("resend");
    expect(bodyOf(resend)).toEqual({ request_id: "r1" });
    expect(status()).toBe("Code sent again to +91 9876543210.");
  });

  test("counts by the clock: timers sleep in a hidden tab", async () => {
    await sent();
    vi.setSystemTime(Date.now() + 40_000);
    await act(async () => vi.advanceTimersByTimeAsync(1000));
    expect(find(".resend").textContent).toBe("Resendin 19 s");
  });

  test("is not asked for again too early", async () => {
    await sent();
    await act(async () => vi.advanceTimersByTimeAsync(20_000));
    await press("resend");
    expect(paths()).not.toContain(resend);
    expect(status()).toMatch(/^You can ask for the code again in (39|40) seconds\.$/);
  });

  test("of a limited phone waits as long as the server says", async () => {
    at("initial");
    await type(person);
    const text = "Too many tries. Please wait 43 seconds and try again.";
    replies[verification] = [refusal(429, text, { phone_number: text }, { "Retry-After": "43" })];
    await press("send-code");
    const phone = find('[data-field="phone_number"]');
    expect(error("phone_number")).toBe(text);
    expect(phone.textContent).toContain("You can ask for the code again in 43 seconds.");
    expect(document.querySelector("#f-otp")).toBeNull(); // no code can be typed in without a request
    await act(async () => vi.advanceTimersByTimeAsync(43_000));
    expect([error("phone_number"), status()]).toEqual(["", "You can ask for the code again now."]);
    expect(phone.textContent).not.toContain("You can ask");
    replies[verification] = [ok({ request_id: "r2", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r2" });
  });

  test("of a limited phone keeps nobody from another number", async () => {
    at("initial");
    await type(person);
    const text = "Too many tries. Please wait 43 seconds and try again.";
    replies[verification] = [refusal(429, text, { phone_number: text }, { "Retry-After": "43" })];
    await press("send-code");
    await type({ phone_number: "9876543211" });
    expect(error("phone_number")).toBe("");
    expect(find('[data-field="phone_number"]').textContent).not.toContain("You can ask");
  });

  test("is not needed where the server knows the phone to be proven", async () => {
    at("initial");
    await type(person);
    replies[verification] = [refusal(402, "This phone number is already verified.", { phone_number: "…" })];
    await press("send-code");
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    expect(error("phone_number")).toBe("");
  });

  test("of another number is needed once the number changes", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    await type({ phone_number: "9876543211" });
    expect(document.querySelector(".verified")).toBeNull();
    expect(document.querySelector("#f-otp")).toBeNull();
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("is still good for a number that was changed and changed back", async () => {
    await sent();
    await type({ phone_number: "98765432100" });
    expect(document.querySelector("#f-otp")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    await type({ phone_number: "9876543210" });
    expect(document.querySelector("#f-otp")).not.toBeNull();
    expect(document.querySelector(".resend")?.textContent).toBe("Resendin 40 s");
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r1", phone_otp: "123456" });
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    await type({ phone_number: "9876543211" });
    expect(document.querySelector(".verified")).toBeNull();
    await type({ phone_number: "9876543210" });
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
  });

  test("of a number that has enrolled before leads to that enrolment", async () => {
    await sent();
    replies[verify] = [ok({ scholarship_requested_id: "s1" })];
    await type({ otp: "123456" });
    expect(go).toHaveBeenCalledExactlyOnceWith("/pay");
    expect(Object.keys(sessionStorage)).toContain("enrolment:open");
  });

  test("leads a number that is registered on", async () => {
    replies[known] = [
      refusal(409, "This phone number is already registered.", {
        phone_number: "This phone number is already registered.",
      }),
    ];
    await sent();
    expect(find(".notice-info").textContent).toBe(
      "This phone number is already registered. Enter the code that we sent, to continue.",
    );
    expect(document.querySelector("#f-otp")).not.toBeNull();
    expect(error("phone_number")).toBe("");
  });

  test("of an e-mail in use is refused at the e-mail, until that changes", async () => {
    at("initial");
    await type(person);
    const text = "This email is already in use. Please try another.";
    replies[verification] = [refusal(409, text, { email: text })];
    await press("send-code");
    expect(error("email")).toBe(text);
    expect(document.activeElement).toBe(input("email"));
    await type({ fullname: "Asha V" });
    expect(error("email")).toBe(text);
    await type({ email: "asha.verma@example.com" });
    expect(error("email")).toBe("");
  });

  test("may be read out of the SMS by the browser", async () => {
    vi.stubGlobal("OTPCredential", class {});
    const get = vi.fn(async () => ({ code: "123456" }));
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { credentials: { get } }));
    replies[verify] = [ok()];
    await sent();
    expect(get).toHaveBeenCalledWith(expect.objectContaining({ otp: { transport: ["sms"] } }));
    expect(bodyOf(verify)).toMatchObject({ phone_otp: "123456" });
    vi.unstubAllGlobals();
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  });
});

describe("the coupon", () => {
  test("is applied with the price struck through, and removed", async () => {
    at("initial");
    replies[coupon] = [ok({ data: { final_amount: 749.5 } })];
    await type({ coupon_code: "halfprice" });
    await press("apply-coupon");
    expect(bodyOf(coupon)).toEqual({
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      coupon_code: "HALFPRICE",
      amount: 1499,
    });
    expect(find(".price").textContent).toBe("₹749.50instead of ₹1,499HALFPRICE");
    expect(status()).toBe("Coupon applied: ₹749.50 off.");
    expect([input("coupon_code").value, input("coupon_code").readOnly]).toEqual(["HALFPRICE", true]);
    await press("remove-coupon");
    expect(find(".price").textContent).toBe("₹1,499");
    expect([input("coupon_code").value, input("coupon_code").readOnly]).toEqual(["", false]);
    expect(document.activeElement).toBe(input("coupon_code"));
  });

  test.each([
    ["", "Invalid coupon code. Please check and try again."],
    ["a!", "Invalid coupon code. Please check and try again."],
  ])("of the shape %j is not even asked about", async (typed, message) => {
    at("initial");
    await type({ coupon_code: typed });
    await press("apply-coupon");
    expect([calls, error("coupon_code")]).toEqual([[], message]);
  });

  test("that the server refuses leaves the price alone", async () => {
    at("prefilled-coupon");
    const text = "Invalid coupon code. Please check and try again.";
    replies[coupon] = [refusal(422, text, { coupon_code: text })];
    await press("apply-coupon");
    expect([error("coupon_code"), find(".price").textContent]).toEqual([text, "₹1,499"]);
  });

  test.each([
    [1499, "INR", "₹1,499"],
    [1349.1, "INR", "₹1,349.10"],
    [450000, "INR", "₹4,50,000"],
    [0, "INR", "₹0"],
    [19, "USD", "$19"],
  ])("%d %s reads %s", (amount, currency, text) => expect(money(amount, currency)).toBe(text));
});

describe("a referral code", () => {
  const of = (code: string) => `/v1/users/referralCode/${code}`;
  const wrong = "Invalid referral code. Please check and try again.";
  const bad = () => refusal(422, wrong, { referral_code: wrong });
  const good = () => ok({ message: "Referral code applied." });
  const badge = () => document.querySelector('[data-field="referral_code"] .verified')?.textContent;

  async function give(code: string) {
    act(() => input("referral_code").focus());
    await type({ referral_code: code });
    act(() => input("referral_code").blur());
    await settle();
  }

  test("that is right is applied when it is left, and asked about once", async () => {
    at("initial");
    replies[of("SETU2025")] = [good()];
    await type({ referral_code: "setu2025" });
    expect(calls).toEqual([]);
    await give("setu2025");
    expect([badge(), status(), error("referral_code")]).toEqual(["Applied", "Referral code applied.", ""]);
    act(() => input("referral_code").focus());
    act(() => input("referral_code").blur());
    await settle();
    expect(paths()).toEqual([of("SETU2025")]);
    await type({ referral_code: "SETU202" });
    expect(badge()).toBeUndefined();
  });

  test("that is wrong is refused when it is left, until it changes", async () => {
    at("initial");
    replies[of("NOBODY")] = [bad()];
    await give("NOBODY");
    expect([error("referral_code"), status(), badge()]).toEqual([wrong, wrong, undefined]);
    await press("send-code"); // says what else is wrong, and does not forget this
    expect(error("referral_code")).toBe(wrong);
    await type({ referral_code: "NOBODY1" });
    expect(error("referral_code")).toBe("");
  });

  test.each(["", "no!"])("of the shape %j is not even asked about", async (code) => {
    at("initial");
    await give(code);
    expect([calls, error("referral_code")]).toEqual([[], code && wrong]);
  });

  test("has an answer that comes late, after another code was typed: it says nothing", async () => {
    at("initial");
    let late: (response: Response) => void = () => undefined;
    const answer = new Promise<Response>((resolve) => {
      late = resolve;
    });
    replies[of("NOBODY")] = [answer];
    replies[of("SETU2025")] = [good()];
    await give("NOBODY");
    await give("SETU2025");
    expect(badge()).toBe("Applied");
    late(bad());
    await settle();
    expect([badge(), error("referral_code")]).toEqual(["Applied", ""]);
  });

  test("that nobody can judge now is left to the last submit, and asked about when it is left again", async () => {
    at("initial");
    replies[of("SETU2025")] = [refusal(429, "Too many tries."), new TypeError("offline"), good()];
    for (const shown of [undefined, undefined, "Applied"]) {
      await give("SETU2025");
      expect([badge(), error("referral_code")]).toEqual([shown, ""]);
    }
  });

  test("that turns out to be one's own is not applied any more", async () => {
    at("verified");
    replies[of("SETU2025")] = [good()];
    await give("SETU2025");
    replies[create] = [bad()];
    await press("pay");
    expect([error("referral_code"), badge(), summary()]).toEqual([wrong, undefined, [wrong]]);
  });
});

describe("PROCEED TO PAY", () => {
  test("lists what is missing, and takes the focus there", async () => {
    at("initial");
    await press("pay");
    expect(calls).toEqual([]);
    expect(summary()).toContain("Please check terms and conditions");
    expect(summary()).toContain("Guardian’s phone number is required.");
    expect(document.activeElement).toBe(find(".error-summary"));
    expect(document.title).toBe("Error: HireSure");
    expect(input("guardian_name").closest("details")?.open).toBe(true);
  });

  describe("without the tick of adults", () => {
    const forgotten = "Tick this if you are 18 or older. If not, your guardian agrees below.";
    const guardian = ["Please enter guardian’s name (2–50 characters)", "Guardian’s phone number is required."];

    test("says so at the box first", async () => {
      at("verified");
      await type({ adult: false });
      await press("pay");
      expect([calls, summary(), error("adult")]).toEqual([[], [forgotten, ...guardian], forgotten]);
      expect([error("guardian_name"), error("guardian_phone")]).toEqual(guardian);
      await type({ adult: true });
      expect([summary(), error("adult")]).toEqual([[], ""]);
    });

    test("says so no more once a guardian is typed in", async () => {
      at("verified");
      await type({ adult: false });
      await press("pay");
      await type({ guardian_name: "Meera Verma" });
      expect([summary(), error("adult")]).toEqual([[guardian[1]], ""]);
    });

    test.each([
      ["typed in", { guardian_name: "M" }, false, guardian],
      ["unfolded", {}, true, guardian],
    ])("says nothing at the box where the guardian was %s", async (_, typed, unfold, messages) => {
      at("verified");
      await type({ adult: false, ...typed });
      const part = input("guardian_name").closest("details") as HTMLDetailsElement;
      if (unfold) part.open = true;
      await settle(); // jsdom tells of it as a browser does: later
      await press("pay");
      expect([summary(), error("adult")]).toEqual([messages, ""]);
    });
  });

  test("takes what is mended off the list", async () => {
    at("verified");
    await type({ company_name: "x", agreed_terms_conditions: false });
    await press("pay");
    expect(summary()).toHaveLength(2);
    await type({ company_name: "St. Xavier's College" });
    expect(summary()).toEqual(["Please check terms and conditions"]);
    await type({ agreed_terms_conditions: true });
    expect([summary(), document.title]).toEqual([[], "HireSure"]);
  });

  test("wants the phone proven, and says so at the phone", async () => {
    at("initial");
    await type({ ...person, adult: true, agreed_terms_conditions: true });
    await press("pay");
    expect(error("phone_number")).toBe("Please verify the OTP.");
    await type({ fullname: "Asha V" });
    expect(error("phone_number")).toBe("Please verify the OTP.");
  });

  test("says no more that a code is missing once one is asked for", async () => {
    at("initial");
    await type({ ...person, adult: true, agreed_terms_conditions: true });
    await press("pay");
    replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect([error("phone_number"), error("otp")]).toEqual(["", ""]);
  });

  test("wants a typed coupon applied first", async () => {
    at("verified");
    await type({ coupon_code: "MGROW500" });
    await press("pay");
    expect([calls, summary()]).toEqual([[], ["Please verify first"]]);
  });

  test("enrols, starts the payment and leads to the checkout, once", async () => {
    at("verified");
    let answer: (response: Response) => void = () => undefined;
    replies[create] = [
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
    ];
    replies[initiate] = [started()];
    await press("pay");
    await press("pay");
    expect(button("pay").getAttribute("aria-busy")).toBe("true");
    answer(ok({ scholarship_requested_id: "s1" }));
    await settle();
    expect(paths()).toEqual([create, initiate]);
    expect(bodyOf(create)).toEqual({
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      fullname: "Asha Verma",
      email: "asha@example.com",
      phone_number: "9876543210",
      company_name: "St. Xavier's College",
      selected_course: "Data_Analytics",
      state: "Karnataka",
      country_code: "+91",
      adult: true,
      agreed_terms_conditions: true,
      consents: ["marketing", "reminders"],
    });
    expect(bodyOf(initiate)).toEqual({
      scholarship_requested_id: "s1",
      redirection_url: `${location.origin}/success`,
    });
    expect(go).toHaveBeenCalledExactlyOnceWith("/checkout/t1");
    // Coming back out of the back/forward cache, the button works again.
    act(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    expect(button("pay").hasAttribute("aria-busy")).toBe(false);
  });

  test.each([
    ["of the shown price leads to its checkout", 1499, "INR", "/checkout/t1"],
    ["of another price, opened before, is shown before it is paid", 999, "INR", "/pay"],
    ["in another currency leads to its checkout", 18, "USD", "/checkout/t1"],
  ])("a payment %s", async (_, amount, currency, address) => {
    at("verified");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started(amount, currency)];
    await press("pay");
    expect(go).toHaveBeenCalledExactlyOnceWith(address);
  });

  test("shows the full price when the coupon is used up meanwhile", async () => {
    at("coupon-applied");
    const text = "This coupon has just been used up.";
    await type({ coupon_code: "HALFPRICE" });
    replies[verification] = [refusal(402, "Verified.")];
    await press("send-code");
    replies[create] = [refusal(409, text, { coupon_code: text })];
    await press("pay");
    expect([summary(), find(".price").textContent]).toEqual([[text], "₹1,499"]);
    expect(go).not.toHaveBeenCalled();
  });

  test("keeps everything while the server is not reached, and works again", async () => {
    at("verified");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    replies[create] = [new TypeError("Failed to fetch")];
    await press("pay");
    expect(find(".ticket-stub .notice").textContent).toBe("You are offline. What you typed is kept.");
    expect(input("fullname").value).toBe("Asha Verma");
    act(() => {
      window.dispatchEvent(new Event("online"));
    });
    expect(find(".ticket-stub .notice").textContent).toBe("You are online again.");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(go).toHaveBeenCalledWith("/checkout/t1");
  });

  test.each([
    [409, "You have already paid for this programme. Your receipt is in your e-mail."],
    [409, "Enrolment for this programme is closed."],
    [500, "Something went wrong on our side. Please try again. If it stays, quote 42."],
  ])("says what the server says (%d)", async (code, message) => {
    at("verified");
    replies[create] = [refusal(code, message)];
    await press("pay");
    expect(summary()).toEqual([message]);
  });

  test("asks for a new proof when the session is gone", async () => {
    at("verified");
    const text = "Please verify the OTP.";
    replies[create] = [refusal(422, text, { phone_otp: text })];
    await press("pay");
    expect(error("phone_number")).toBe(text);
    expect(button("send-code").textContent).toBe("Send code");
  });
});

describe("Enter", () => {
  test.each([
    ["initial", "phone_number", verification],
    ["code-wrong", "otp", verify],
    ["prefilled-coupon", "coupon_code", coupon],
    ["verified", "fullname", create],
  ])("in %s, at %s, asks %s", async (state, name, path) => {
    at(state);
    if (state === "initial") await type(person);
    act(() => input(name).focus());
    await press("enter");
    expect(paths()).toEqual([path]);
  });
});

describe("a guardian", () => {
  test("proves another phone with a code of their own", async () => {
    at("verified");
    await type({ adult: false, guardian_name: "Meera Verma", guardian_phone: "98765 43211" });
    replies[verification] = [ok({ request_id: "g1", resend_after: 60, expires_in: 600 })];
    await press("send-guardian-code");
    expect(bodyOf(verification)).toEqual({
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      purpose: "guardian",
      phone_number: "9876543210",
      guardian_phone: "9876543211",
      country_code: "+91",
    });
    replies[verify] = [ok()];
    await type({ guardian_otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ purpose: "guardian", request_id: "g1", guardian_otp: "123456" });
    expect(status()).toBe("Guardian’s mobile number verified.");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(bodyOf(create)).toMatchObject({
      adult: false,
      guardian_name: "Meera Verma",
      guardian_phone: "9876543211",
    });
    expect(go).toHaveBeenCalledWith("/checkout/t1");
  });
});

describe("a reload", () => {
  function reload(early?: Record<string, string>) {
    act(() => root?.unmount());
    document.body.replaceChildren();
    calls = [];
    at("initial", early);
  }
  const storage = () => JSON.stringify(Object.entries(sessionStorage));

  test("brings back what was typed and chosen, and unfolds it", async () => {
    at("initial");
    const chosen = { company_name: "IIT", referral_code: "SETU2025", coupon_code: "HALF", guardian_name: "Meera" };
    await type({ ...person, ...chosen, agreed_terms_conditions: true });
    find<HTMLSelectElement>("#f-state").value = "Kerala";
    act(() => find("#f-state").dispatchEvent(new InputEvent("input", { bubbles: true })));
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
    act(() => find("#f-consents-reminders").dispatchEvent(new InputEvent("input", { bubbles: true })));
    reload();
    for (const [name, value] of Object.entries({ ...person, ...chosen, state: "Kerala" }))
      expect([name, input(name).value]).toEqual([name, value]);
    expect(input("agreed_terms_conditions").checked).toBe(true);
    expect(input("adult").checked).toBe(false);
    expect(find<HTMLInputElement>("#f-consents-reminders").checked).toBe(true);
    expect(find<HTMLInputElement>("#f-consents-marketing").checked).toBe(false);
    expect(Array.from(document.querySelectorAll("details"), ({ open }) => open)).toEqual([true, true, true]);
    expect(calls).toEqual([]);
  });

  test("brings back that one is an adult", async () => {
    at("initial");
    await type({ adult: true });
    reload();
    expect([input("adult").checked, input("guardian_name").closest("details")?.hidden]).toEqual([true, true]);
  });

  test("leaves alone what was typed before this script had loaded", async () => {
    at("initial");
    await type({ ...person, adult: true });
    reload({ fullname: "Asha K. Verma" });
    expect([input("fullname").value, input("email").value]).toEqual(["Asha K. Verma", person.email]);
  });

  test("while a code is on its way finds its field, with what is left of the wait", async () => {
    await sent();
    await act(async () => vi.advanceTimersByTimeAsync(20_000));
    await type({ otp: "12345" });
    expect(storage()).not.toContain('12345"');
    reload();
    expect(find(".resend").textContent).toMatch(/^Resendin (39|40) s$/);
    expect(input("otp").value).toBe("");
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r1", phone_number: person.phone_number, phone_otp: "123456" });
    expect(status()).toBe("Mobile number verified.");
  });

  test("after a code has ended asks for a new one", async () => {
    at("initial");
    await type(person);
    replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    act(() => root?.unmount());
    await vi.advanceTimersByTimeAsync(600_000);
    reload();
    expect(document.querySelector("#f-otp")).toBeNull();
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("of a verified number shows that, until the server says otherwise", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    await type({ adult: true, agreed_terms_conditions: true, selected_course: "Blockchain", state: "Kerala" });
    reload();
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    const text = "Please verify the OTP.";
    replies[create] = [refusal(422, text, { phone_otp: text })];
    await press("pay");
    expect(error("phone_number")).toBe(text);
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("asks for an applied coupon anew: the price is the server's", async () => {
    at("initial");
    replies[coupon] = [ok({ data: { final_amount: 749.5 } })];
    await type({ coupon_code: "halfprice" });
    await press("apply-coupon");
    replies[coupon] = [ok({ data: { final_amount: 1000 } })];
    reload();
    await settle();
    expect(paths()).toEqual([coupon]);
    expect(find(".price").textContent).toBe("₹1,000instead of ₹1,499HALFPRICE");

    const text = "Invalid coupon code. Please check and try again.";
    replies[coupon] = [refusal(422, text, { coupon_code: text })];
    reload();
    await settle();
    expect([error("coupon_code"), find(".price").textContent]).toEqual([text, "₹1,499"]);
    expect(document.activeElement).toBe(document.body);
  });

  test("asks for a coupon beside what one does meanwhile", async () => {
    at("initial");
    replies[coupon] = [ok({ data: { final_amount: 749.5 } })];
    await type({ ...person, coupon_code: "halfprice" });
    await press("apply-coupon");
    let late = (_: Response) => {};
    replies[coupon] = [new Promise<Response>((resolve) => (late = resolve)) as unknown as Response];
    replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    reload();
    await settle();
    await press("send-code");
    expect(document.activeElement).toBe(input("otp"));
    late(ok({ data: { final_amount: 749.5 } }));
    await settle();
    expect(find(".price").textContent).toBe("₹749.50instead of ₹1,499HALFPRICE");
    expect(document.activeElement).toBe(input("otp"));
  });

  test("that another version of the script kept is forgotten", async () => {
    sessionStorage.setItem(
      "enrolment:draft:KS_Mgrow",
      JSON.stringify({ at: Date.now(), values: { fullname: "Asha" } }),
    );
    at("initial");
    await settle();
    expect(sessionStorage).toHaveLength(0);
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("finds what was sent too, until it is paid", async () => {
    at("verified");
    await type({ fullname: "Asha Verma" });
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    reload();
    expect(input("fullname").value).toBe("Asha Verma");
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    clearStorage(); // as runtime does where a payment is seen to be paid
    reload();
    expect(input("fullname").value).toBe("");
  });

  test.each([
    ["only comes back", {}, 0],
    ["changes something", { fullname: "Asha V" }, 1],
  ])("finds a draft of what is paid only if it was changed: the visitor %s", async (_, typed, drafts) => {
    at("verified");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    clearStorage(); // as runtime does where a payment is seen to be paid
    act(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    act(() => input("email").focus());
    act(() => input("email").blur());
    await type(typed);
    expect(sessionStorage).toHaveLength(drafts);
  });

  test("after that tells of the payment that waits, until it is paid", async () => {
    at("verified");
    expect(document.body.textContent).not.toContain("waiting");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(sessionStorage.getItem("enrolment:open")).toBe('"KS_Mgrow"');
    act(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    const notice = () => document.querySelector(".notice-info")?.textContent;
    expect(notice()).toBe("Your enrolment is waiting for its payment. Continue to pay");
    reload();
    expect(notice()).toBe("Your enrolment is waiting for its payment. Continue to pay");
    expect(find<HTMLAnchorElement>(".notice-info a").pathname).toBe("/pay");
    remove(openEnrolment);
    reload();
    expect(notice()).toBeUndefined();
  });

  test("of another event's form does not tell of it", () => {
    save(openEnrolment, "KS_Campus");
    at("initial");
    expect(document.querySelector(".notice-info")).toBeNull();
  });

  test("finds nothing where the browser keeps nothing", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    at("initial");
    await type(person);
    reload();
    expect(input("fullname").value).toBe("");
  });
});

describe("leaving the page", () => {
  const beacon = vi.fn();
  beforeEach(() => {
    beacon.mockReset();
    Object.assign(navigator, { sendBeacon: beacon });
  });
  const leave = () => window.dispatchEvent(new PageTransitionEvent("pagehide"));

  test("keeps what was typed on the server, with consent", async () => {
    at("initial");
    await type(person);
    const reminders = find<HTMLInputElement>("#f-consents-reminders");
    reminders.checked = true;
    leave();
    const [path, body] = beacon.mock.calls[0] ?? [];
    expect(path).toBe("/ks-website/v1/abandoned-enrolment");
    expect(JSON.parse(body)).toEqual({ ...person, scholarship_code: "KS_Mgrow", consents: ["reminders"] });
  });

  test("keeps nothing without consent", async () => {
    at("initial");
    await type(person);
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  test("keeps nothing that nobody could be reached by", async () => {
    at("initial");
    await type({ fullname: "Asha Verma", email: "asha@" });
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  const consent = () => {
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
  };

  test("keeps nothing when it is left to pay, unless the visitor comes back and leaves again", async () => {
    at("verified");
    await type({ phone_number: person.phone_number });
    consent();
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(go).toHaveBeenCalledWith("/checkout/t1");
    leave();
    expect(beacon).not.toHaveBeenCalled();
    act(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    leave();
    expect(beacon).toHaveBeenCalledOnce();
  });

  test("keeps nothing when a returning visitor is led to pay", async () => {
    await sent();
    consent();
    replies[verify] = [ok({ scholarship_requested_id: "s1" })];
    await type({ otp: "123456" });
    expect(go).toHaveBeenCalledWith("/pay");
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  test("keeps what was typed when the payment could not be started", async () => {
    at("verified");
    consent();
    replies[create] = [new TypeError("Failed to fetch")];
    await press("pay");
    leave();
    expect(beacon).toHaveBeenCalledOnce();
  });
});

describe("an answer that cannot be read", () => {
  const unreadable = "We could not read the answer. What you typed is kept. Please try again.";
  const page = () => new Response("<h1>Log in to the hotel’s network</h1>", { status: 200 });

  test.each([
    ["to the request of a code, a page", "initial", "send-code", verification, page, "phone_number"],
    ["to the request of a code, without a request", "initial", "send-code", verification, () => ok(), "phone_number"],
    ["to a second request of a code", "code-wrong", "resend", resend, () => ok({ resend_after: "soon" }), "otp"],
    ["to a code", "code-wrong", "verify", verify, () => ok({ scholarship_requested_id: 7 }), "otp"],
    ["to a coupon, without a price", "prefilled-coupon", "apply-coupon", coupon, () => ok(), "coupon_code"],
    [
      "to a coupon, with a price below nothing",
      "prefilled-coupon",
      "apply-coupon",
      coupon,
      () => ok({ data: { final_amount: -1 } }),
      "coupon_code",
    ],
  ])("%s, leaves what was typed, and says so there", async (_, state, action, path, reply, place) => {
    at(state);
    if (state === "initial") await type(person);
    const typed = new FormData(find("form"));
    replies[path] = [reply()];
    await press(action);
    expect(find(`[data-field="${place}"] .notice-waiting`).textContent).toBe(unreadable);
    expect([...new FormData(find("form"))]).toEqual([...typed]);
    expect(document.querySelector(".verified, .badge")).toBeNull();
    expect(button(action).hasAttribute("aria-busy")).toBe(false);
  });

  test.each([
    ["to the enrolment", [page()], []],
    ["to the enrolment, without its id", [ok()], []],
    ["to the payment", [ok({ scholarship_requested_id: "s1" })], [ok({ transactionResponse: null })]],
    [
      "to the payment, which would lead to another site",
      [ok({ scholarship_requested_id: "s1" })],
      [ok({ transactionResponse: { checkout_url: "https://elsewhere.example", amount: 1499, currency: "INR" } })],
    ],
  ])("%s, starts none, and can be tried again", async (_, enrolled, paying) => {
    at("verified");
    replies[create] = [...enrolled];
    replies[initiate] = [...paying];
    await press("pay");
    expect(find(".ticket-stub .notice-waiting").textContent).toBe(unreadable);
    expect([go.mock.calls, summary(), input("fullname").value]).toEqual([[], [], "Asha Verma"]);
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(go).toHaveBeenCalledExactlyOnceWith("/checkout/t1");
  });

  test("to a referral code is left to the last submit", async () => {
    at("initial");
    replies["/v1/users/referralCode/SETU2025"] = [page()];
    act(() => input("referral_code").focus());
    await type({ referral_code: "SETU2025" });
    act(() => input("referral_code").blur());
    await settle();
    expect([error("referral_code"), document.querySelector(".verified")]).toEqual(["", null]);
  });

  test.each([
    ["no JSON", "{"],
    ["of another version of this page", JSON.stringify({ code: "KS_Mgrow" })],
  ])("in the page, %s, leaves the form to work without scripts", (_, payload) => {
    const html = readFileSync(`${import.meta.dirname}/testdata/initial.html`, "utf8").trimEnd();
    document.body.innerHTML = `<div id="place"><script type="application/json">${payload}</script><div class="island-root">${html}</div></div>`;
    input("fullname").value = "Asha Verma";
    start(find("#place"));
    expect(input("fullname").value).toBe("Asha Verma");
    expect(find("form").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }))).toBe(true);
  });

  test("in the page is one where something is missing only", async () => {
    const read = (extension: string) =>
      readFileSync(`${import.meta.dirname}/testdata/initial.${extension}`, "utf8").trimEnd();
    document.body.innerHTML = `<div id="place"><script type="application/json">${read("json")}</script><div class="island-root">${read("html")}</div></div>`;
    act(() => {
      root = start(find("#place"));
    });
    await press("pay");
    expect(summary()).toContain("Full name is required.");
  });
});
