// The code that verifies a phone.
import { act } from "react";
import { describe, expect, test, vi } from "vitest";
import { loadDraft } from "./draft.ts";
import {
  at,
  bodyOf,
  button,
  calls,
  error,
  find,
  go,
  input,
  ok,
  pass,
  paths,
  person,
  press,
  refusal,
  replies,
  resend,
  sent,
  settle,
  sleep,
  status,
  type,
  verification,
  verify,
} from "./fixture.ts";

describe("the code", () => {
  test("is not requested without name, e-mail and phone", async () => {
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
    expect(find("#h-otp").textContent).toBe("6 digits. We check them as soon as you type the last one.");
    expect(find<HTMLElement>("[data-slot=help]").hidden).toBe(false);
    expect(find("[data-slot=help] summary").textContent).toBe("No SMS?");
    expect(bodyOf(verification)).toEqual({
      scholarship_code: "KS_Mgrow",
      scholarship_subevent_code: "KS_Mgrow_2025",
      email: "asha@example.com",
      phone_number: "9876543210",
      country_code: "+91",
    });
    expect(status()).toBe("Code sent to +91 98765 43210.");
    expect(document.activeElement).toBe(input("otp"));
  });

  test("shows a message if the human check is not ready", async () => {
    at("initial");
    await type(person);
    const text = "Execute reCAPTCHA is not ready yet.";
    replies[verification] = [refusal(422, text, { captcha_token: text })];
    await press("send-code");
    expect(find(".step .notice").textContent).toBe(text);
    expect(input("fullname").value).toBe("Asha Verma");
  });

  test.each([
    ["a space", "123 456"],
    ["marks that nobody sees", "\u200b123\u00a0456\u200e"],
  ])("is checked as soon as six digits stand there, pasted with %s", async (_, typed) => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123 45" });
    expect(paths()).not.toContain(verify);
    await type({ otp: typed });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r1", phone_otp: "123456", email: "asha@example.com" });
    expect(status()).toBe("Mobile number verified.");
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    expect(document.querySelector("#f-otp")).toBeNull();
  });

  test("keeps its error when the field is left", async () => {
    await sent();
    replies[verify] = [refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" })];
    await type({ otp: "123456" });
    expect(error("otp")).toBe("Invalid OTP");
    expect(find('[data-field="otp"] .hint').textContent).toBe(
      "Use the latest OTP sent from this page, or press Resend in 60 s.",
    );
    act(() => input("otp").blur());
    await pass(1000);
    expect(input("otp").value).toBe("123456");
    expect(error("otp")).toBe("Invalid OTP");
    replies[verify] = [ok()];
    await type({ otp: "654321" });
    expect(status()).toBe("Mobile number verified.");
  });

  test("that is wrong is sent only once, because the server limits wrong codes", async () => {
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
      expect([error("otp"), status()?.trim()]).toEqual(["Invalid OTP", "Invalid OTP"]);
    }
    expect(paths().filter((path) => path === verify)).toHaveLength(1);
    await pass(60_000);
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    replies[verify] = [ok()];
    await press("resend");
    expect([input("otp").value, error("otp"), document.activeElement]).toEqual(["", "", input("otp")]);
    await type({ otp: "123456" }); // the new code may equal the old one
    expect(status()).toBe("Mobile number verified.");
  });

  test("that has ended empties its boxes, and leaves only Resend", async () => {
    const ended = "5 wrong tries: this OTP has ended. Please ask for a new one.";
    await sent();
    replies[verify] = [refusal(422, ended, { phone_otp: ended }, { "Retry-After": "40" })];
    await type({ otp: "123456" });
    expect([input("otp").value, error("otp"), document.querySelectorAll('button[value="verify"]').length]).toEqual([
      "",
      ended,
      0,
    ]);
    expect(find('[data-field="otp"] .resend').textContent).toBe("Resendin 40 s");
    expect(find("#h-otp").textContent).toBe("6 digits.");
    await type({ otp: "654321" });
    expect(paths().filter((path) => path === verify)).toHaveLength(1);
    await pass(40_000);
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    replies[verify] = [ok()];
    await press("resend");
    expect([input("otp").value, error("otp"), document.querySelectorAll('button[value="verify"]').length]).toEqual([
      "",
      "",
      1,
    ]);
    await type({ otp: "654321" });
    expect(status()).toBe("Mobile number verified.");
  });

  test("that is wrong is selected, so that typing replaces it", async () => {
    await sent();
    replies[verify] = [refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" })];
    await type({ otp: "123456" });
    const { selectionStart, selectionEnd } = input("otp");
    expect([document.activeElement, selectionStart, selectionEnd]).toEqual([input("otp"), 0, 6]);
  });

  test("that is right moves the focus to the next step, unless the visitor has moved it", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(document.activeElement).toBe(input("selected_course"));
  });

  test("announces a slow check once and does not move the focus", async () => {
    await sent();
    let answer: (response: Response) => void = () => undefined;
    replies[verify] = [
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
    ];
    await type({ otp: "123456" });
    expect([status(), button("verify").textContent]).toEqual(["", "Verify"]);
    await pass(1000);
    expect([status(), button("verify").textContent]).toEqual(["Sending…", "Sending…"]);
    await press("verify");
    expect(status()).toBe("Please wait, still sending.");
    act(() => input("coupon_code").focus());
    answer(ok());
    await settle();
    expect([status(), document.activeElement]).toEqual(["Mobile number verified.", input("coupon_code")]);
  });

  test("is requested again for the same number once the earlier one has expired", async () => {
    await sent();
    await press("change-number");
    await press("send-code");
    expect(paths().filter((path) => path === verification)).toHaveLength(1);
    await press("change-number");
    await sleep(10 * 60_000);
    replies[verification] = [ok({ request_id: "r2", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect(paths().filter((path) => path === verification)).toHaveLength(2);
    expect(document.activeElement).toBe(input("otp"));
  });

  test("is requested once per number, however often the visitor returns to it", async () => {
    await sent();
    await press("change-number");
    expect([document.querySelector("#f-otp"), document.activeElement]).toEqual([null, input("phone_number")]);
    await press("send-code");
    expect([document.activeElement, status()?.trim()]).toEqual([input("otp"), "Code sent to +91 98765 43210."]);
    expect(paths().filter((path) => path === verification)).toHaveLength(1);
  });

  test("is sent again if its check got no response", async () => {
    await sent();
    replies[verify] = [new TypeError("Failed to fetch"), ok()];
    await type({ otp: "123456" });
    await press("verify");
    expect(status()).toBe("Mobile number verified.");
  });

  test("counts down, and announces only the end", async () => {
    await sent();
    const heard = new Set<string | null>();
    for (let second = 0; second < 65; second += 5) {
      await pass(5000);
      heard.add(status());
    }
    expect([...heard]).toEqual(["Code sent to +91 98765 43210.", "You can ask for the code again now."]);
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    await press("resend");
    expect(bodyOf(resend)).toEqual({ request_id: "r1" });
    expect(status()).toBe("Code sent again to +91 98765 43210.");
  });

  test("counts down by the clock, because hidden tabs slow timers", async () => {
    await sent();
    vi.setSystemTime(Date.now() + 40_000);
    await pass(1000);
    expect(find(".resend").textContent).toBe("Resendin 19 s");
  });

  test("is not requested again during the wait", async () => {
    await sent();
    for (const [passed, left] of [
      [20_000, 40],
      [39_000, 1],
    ] as const) {
      await pass(passed);
      await press("resend");
      expect(paths()).not.toContain(resend);
      expect(status()).toBe(`You can ask for the code again in ${left} s.`);
    }
  });

  const limited = (seconds: number) =>
    refusal(429, "A code went to this number a moment ago. Please wait.", {}, { "Retry-After": String(seconds) });

  test("waits as long as the server says for a limited phone", async () => {
    at("initial");
    await type(person);
    replies[verification] = [limited(43)];
    await press("send-code");
    const phone = find('[data-field="phone_number"]');
    const why = "A code went to this number a moment ago. You can ask for one here in 43 s.";
    expect([error("phone_number"), status(), find(".notice-waiting").textContent]).toEqual(["", why, why]);
    expect(phone.textContent).not.toContain("For a code now"); // not before the wait is over
    expect(document.querySelector("#f-otp")).toBeNull(); // no code can be typed in without a request
    await pass(42_000);
    await press("send-code");
    expect(paths()).toEqual([verification]);
    await pass(1000);
    expect([document.querySelector(".notice-waiting"), status()]).toEqual([
      null,
      "You can ask for the code again now.",
    ]);
    replies[verification] = [ok({ request_id: "r2", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r2" });
  });

  test.each([
    ["a busy server", 503, { "Retry-After": "43" }],
    ["a limit of unknown length", 429, {}],
  ])("can be requested again at once after the refusal of %s", async (_, code, headers) => {
    at("initial");
    await type(person);
    const text = "Many people ask for codes. Please try again.";
    replies[verification] = [
      refusal(code, text, {}, headers),
      ok({ request_id: "r1", resend_after: 60, expires_in: 600 }),
    ];
    await press("send-code");
    expect(find('[data-field="phone_number"] .notice').textContent).toBe(text);
    expect([status(), button("send-code").textContent]).toEqual([text, "Send code"]);
    await press("send-code");
    expect([status(), document.activeElement]).toEqual(["Code sent to +91 98765 43210.", input("otp")]);
  });

  const asksForWork = () => {
    const challenge = { provider: "pow", salt: "s", difficulty: 0, expires: 1, signature: "x" };
    const busy = { message: "Many codes were sent to this number. Please wait 9 minutes and try again.", challenge };
    return Response.json(busy, { status: 429, headers: { "Retry-After": "540" } });
  };

  test("is sent after work, which one press starts", async () => {
    at("initial");
    await type(person);
    const sent = { resolve: (_: Response) => {} };
    replies[verification] = [asksForWork(), new Promise((resolve) => Object.assign(sent, { resolve }))];
    await press("send-code");
    expect(calls).toHaveLength(1); // no work without a press
    const notice = () => find('[data-field="phone_number"] .notice-info').textContent;
    expect([notice(), button("send-code").textContent, error("phone_number")]).toEqual([
      "Many codes were sent to this number. To send one more, we check that a person is asking. Your phone does it in up to 30 seconds.",
      "Check and send code",
      "",
    ]);
    expect(status()).toBe(notice());
    await press("send-code");
    expect(notice()).toBe("Checking. Keep this page open. Then the code is sent.");
    expect(calls.map(({ body }) => Boolean(body.captcha_token))).toEqual([false, true]);
    sent.resolve(ok({ request_id: "r1", resend_after: 60, expires_in: 600 }));
    await settle();
    expect(document.activeElement).toBe(input("otp"));
    await press("change-number");
    expect(find('[data-field="phone_number"] .notice').textContent).toBe("Keep +91 98765 43210");
    await press("keep-number");
    expect(document.activeElement).toBe(input("otp"));
  });

  test("that takes five minutes or more names our telephone", async () => {
    at("initial");
    await type(person);
    replies[verification] = [limited(301)];
    await press("send-code");
    expect(find("[data-slot=call]:not([hidden])").textContent).toContain("Or call +91");
    await pass(2_000);
    expect(document.querySelector("[data-slot=call]:not([hidden])")).toBeNull();
  });

  test("of a guardian names it too", async () => {
    at("initial");
    await type({ ...person, adult: "false", guardian_name: "Meera Verma", guardian_phone: "9876543211" });
    replies[verification] = [limited(301)];
    await press("send-guardian-code");
    expect(find(".guardian [data-slot=call]:not([hidden])").textContent).toContain("Or call +91");
    expect(document.querySelectorAll("[data-slot=call]:not([hidden])")).toHaveLength(1);
  });

  test("for another number needs no work that one number needs", async () => {
    at("initial");
    await type(person);
    replies[verification] = [asksForWork(), ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    await type({ phone_number: "9876543211" });
    await press("send-code");
    expect(calls.map(({ body }) => [body.phone_number, Boolean(body.captcha_token)])).toEqual([
      ["9876543210", false],
      ["9876543211", false],
    ]);
    expect(document.activeElement).toBe(input("otp"));
  });

  test("can be requested for another number while one is limited", async () => {
    at("initial");
    await type(person);
    replies[verification] = [limited(9 * 60 - 30)];
    await press("send-code");
    expect(find(".notice-waiting .countdown").textContent).toBe("9 minutes");
    await type({ phone_number: "9876543211" });
    expect(error("phone_number")).toBe("");
    expect(find('[data-field="phone_number"]').textContent).not.toContain("You can ask");
  });

  test("is not needed if the server knows the phone as verified", async () => {
    at("initial");
    await type(person);
    replies[verification] = [refusal(402, "This phone number is already verified.", { phone_number: "…" })];
    await press("send-code");
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    expect(error("phone_number")).toBe("");
  });

  test("is needed again once the number changes", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    await type({ phone_number: "9876543211" });
    expect(document.querySelector(".verified")).toBeNull();
    expect(document.querySelector("#f-otp")).toBeNull();
    expect(find<HTMLElement>("[data-slot=help]").hidden).toBe(true);
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("stays valid for a number that was changed and changed back", async () => {
    await sent();
    await type({ phone_number: "98765432100" });
    expect(document.querySelector("#f-otp")).toBeNull();
    await pass(20_000);
    await type({ phone_number: "9876543210" });
    expect(document.querySelector("#f-otp")).not.toBeNull();
    expect(document.querySelector(".resend")?.textContent).toBe("Resendin 40 s");
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ request_id: "r1", phone_otp: "123456" });
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    await type({ phone_number: "9876543211" });
    expect(document.querySelector(".verified")).toBeNull();
    expect(status()).toBe("Mobile number changed: please verify it again.");
    await type({ phone_number: "9876543212" });
    const kept = "The new number needs a code of its own. Keep +91 98765 43210";
    expect(find('[data-field="phone_number"] .notice').textContent).toBe(kept);
    await press("keep-number");
    expect([input("phone_number").value, document.querySelector("[value=keep-number]")]).toEqual(["9876543210", null]);
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    expect(status()).toBe("Mobile number verified.");
  });

  test("of an enrolled number leads to that enrolment", async () => {
    await sent();
    replies[verify] = [ok({ scholarship_requested_id: "s1" })];
    await type({ otp: "123456" });
    expect([status(), go.mock.calls]).toEqual([
      "Mobile number verified. You have enrolled before: your payment is next.",
      [],
    ]);
    await pass(1500);
    expect(go).toHaveBeenCalledExactlyOnceWith("/pay");
    expect(Object.keys(sessionStorage)).toContain("enrolment:open");
  });

  test.each([
    ["the same person, in other letters and spaces", { fullname: " asha  VERMA ", email: "Asha@Example.com" }, false],
    ["another name", { fullname: "Meera Rao", email: person.email }, true],
    ["another e-mail", { fullname: person.fullname, email: "meera@example.com" }, true],
  ])("says whose enrolment its number has to another person only: %s", async (_, before, another) => {
    await sent();
    replies[verify] = [ok({ scholarship_requested_id: "s1", ...before })];
    await type({ otp: "123456" });
    expect(status()).toBe(
      `Mobile number verified. ${another ? `This number has enrolled already, for ${before.fullname}.` : "You have enrolled before: your payment is next."}`,
    );
    await pass(1500);
    expect(go).toHaveBeenCalledExactlyOnceWith(another ? "/pay?scholarship_requested_id=s1&typed=another" : "/pay");
    expect("enrolment:open" in sessionStorage).toBe(!another);
    const { fullname, phone_number: number } = loadDraft("KS_Mgrow")?.values ?? {};
    expect({ fullname, number }).toEqual({ fullname: person.fullname, number: another ? undefined : "9876543210" });
  });

  test("is announced as sent, without a look-up of the number", async () => {
    await sent();
    expect(status()).toBe("Code sent to +91 98765 43210.");
    expect(paths()).toEqual([verification]);
  });

  test("for another number starts with an empty field without an error", async () => {
    await sent();
    replies[verify] = [refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" })];
    await type({ otp: "123456" });
    await type({ phone_number: "9876543211" });
    replies[verification] = [ok({ request_id: "r2", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect([input("otp").value, error("otp")]).toEqual(["", ""]);
    replies[verify] = [new Promise<Response>(() => undefined)];
    await type({ otp: "123456" }); // the digits that were wrong for the other number
    expect(error("otp")).toBe("");
    expect(paths().filter((path) => path === verify)).toHaveLength(2);
  });

  test("starts without an error after PROCEED TO PAY has listed it as missing", async () => {
    at("initial");
    await type(person);
    await press("pay");
    replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect([input("otp").value, error("otp")]).toEqual(["", ""]);
  });

  test.each([
    ["sent", false],
    ["verified", true],
  ])("that was %s is kept after a limit of another number", async (_, verified) => {
    await sent();
    if (verified) {
      replies[verify] = [ok()];
      await type({ otp: "123456" });
    }
    await type({ phone_number: "9876543211" });
    replies[verification] = [limited(9 * 60)];
    await press("send-code");
    await press("keep-number");
    expect(input("phone_number").value).toBe("9876543210");
    if (verified) expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    else expect(document.activeElement).toBe(input("otp"));
  });

  test("of a guardian is kept beside the applicant's", async () => {
    at("guardian-sent");
    const before = [input("guardian_phone").value, input("phone_number").value];
    await press("change-number-guardian");
    expect(document.querySelector("#f-guardian_otp")).toBeNull();
    await press("keep-number-guardian");
    expect([input("guardian_phone").value, input("phone_number").value]).toEqual(before);
    expect(document.activeElement).toBe(input("guardian_otp"));
  });

  test("of a guardian shows at its own field why it is not sent again", async () => {
    at("guardian-sent");
    await pass(60_000);
    replies[resend] = [refusal(422, "Invalid OTP", { phone_otp: "Invalid OTP" })];
    await press("resend-guardian");
    expect([error("guardian_otp"), document.activeElement]).toEqual(["Invalid OTP", input("guardian_otp")]);
  });

  test("is not sent again before the server allows it", async () => {
    await sent();
    await pass(60_000);
    const text = "Too many tries. Please wait 43 seconds and try again.";
    replies[resend] = [refusal(429, text, { phone_otp: text }, { "Retry-After": "43" })];
    await press("resend");
    expect([error("otp"), find(".resend").textContent]).toEqual([text, "Resendin 43 s"]);
  });

  test("counts for ten minutes from its last sending", async () => {
    await sent();
    await pass(60_000);
    replies[resend] = [ok({ resend_after: 60, expires_in: 600 })];
    await press("resend");
    await sleep(9.5 * 60_000);
    await press("change-number");
    await press("send-code");
    expect(paths().filter((path) => path === verification)).toHaveLength(1);
    expect(document.activeElement).toBe(input("otp"));
  });

  test("is rejected at the e-mail if that is in use, until it changes", async () => {
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

  test("can be read from the SMS by the browser", async () => {
    vi.stubGlobal("OTPCredential", class {});
    const get = vi.fn(async () => ({ code: "123456" }));
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { credentials: { get } }));
    replies[verify] = [ok()];
    await sent();
    expect(get).toHaveBeenCalledWith(expect.objectContaining({ otp: { transport: ["sms"] } }));
    expect(bodyOf(verify)).toMatchObject({ phone_otp: "123456" });
    vi.unstubAllGlobals();
  });
});
