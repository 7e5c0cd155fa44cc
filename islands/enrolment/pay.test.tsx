// The final submit, and what prevents it.
import { act } from "react";
import { describe, expect, test, vi } from "vitest";
import {
  at,
  bodyOf,
  button,
  calls,
  create,
  error,
  find,
  go,
  initiate,
  input,
  ok,
  paths,
  person,
  press,
  price,
  refusal,
  replies,
  settle,
  started,
  status,
  summary,
  type,
  verification,
} from "./fixture.ts";

describe("PROCEED TO PAY", () => {
  const toDo = () =>
    Array.from(document.querySelectorAll(".to-do li"), (row) => [
      row.querySelector("b")?.textContent,
      row.querySelector("b + *")?.textContent,
      row.querySelector("a")?.getAttribute("href") ?? "",
    ]);

  test("pressed early, lists the steps before it and refuses nothing", async () => {
    at("initial");
    await press("pay");
    expect(calls).toEqual([]);
    expect(find(".to-do h2").textContent).toBe("4 steps before you pay");
    expect(toDo()).toEqual([
      ["You", "Start with your name", "#f-fullname"],
      ["Phone", "number and code", ""],
      ["Course", "course and State", ""],
      ["Consent", "your age and the terms", ""],
    ]);
    expect(document.activeElement).toBe(find(".to-do"));
    expect(document.title).toBe("HireSure");
    expect(find(".enrol-price-missing").textContent).toBe("4 steps first, then you pay.");
    expect([
      document.querySelectorAll(".is-unfolded").length,
      document.querySelectorAll("[aria-invalid], .is-faulty").length,
      summary(),
    ]).toEqual([1, 0, []]);
  });

  test("pressed early, names what is typed wrong as its field does", async () => {
    at("initial");
    await type({ fullname: "Asha Verma", email: "asha@" });
    await press("pay");
    expect(toDo()[0]).toEqual(["You", "Enter a valid email address.", "#f-email"]);
    expect([error("email"), find(".to-do a").className]).toEqual(["Enter a valid email address.", "is-wrong"]);
    expect(document.querySelectorAll(".is-faulty")).toHaveLength(0);
    await type({ email: "asha@example.com" });
    expect(toDo()[0]).toEqual(["Phone", "Enter your number", "#f-phone_number"]);
  });

  test("pressed early, forgets a step that is done, and says nothing once all are", async () => {
    at("verified");
    await type({ company_name: "x", agreed_terms_conditions: false });
    await press("pay");
    expect(toDo().map(([label]) => label)).toEqual(["Course", "Consent"]);
    await type({ company_name: "St. Xavier's College" });
    expect(toDo()).toEqual([["Consent", "Please check terms and conditions", "#f-agreed_terms_conditions"]]);
    await type({ agreed_terms_conditions: true });
    expect([toDo(), document.querySelector(".to-do")]).toEqual([[], null]);
  });

  test("asks for the age, and for a guardian of minors only", async () => {
    at("verified");
    await type({ adult: false });
    await press("pay");
    expect(toDo()).toEqual([["Consent", "Ask your parent or guardian", "#f-guardian_name"]]);
    expect([error("guardian_name"), error("guardian_phone")]).toEqual(["", ""]);
    await type({ adult: true });
    expect(toDo()).toEqual([]);
  });

  test("requires a verified phone, at the phone until a code is requested", async () => {
    at("initial");
    await type({ ...person, adult: true, agreed_terms_conditions: true });
    await press("pay");
    expect(toDo()[0]).toEqual(["Phone", "Send a code to this number.", "#f-phone_number"]);
    replies[verification] = [ok({ request_id: "r1", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect([error("phone_number"), error("otp"), toDo()[0]?.[2]]).toEqual(["", "", "#f-otp"]);
  });

  test("requires that a typed coupon is applied first", async () => {
    at("verified");
    await type({ coupon_code: "MGROW500" });
    await press("pay");
    expect([calls, summary()]).toEqual([[], ["Please verify first"]]);
  });

  test("announces a rejection but keeps the focus if the visitor has moved on", async () => {
    at("verified");
    let answer: (response: Response) => void = () => undefined;
    replies[create] = [
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
    ];
    button("pay").focus();
    await press("pay");
    input("company_name").focus();
    answer(refusal(422, "Refused.", { state: "State is required.", selected_course: "Course selection is required." }));
    await settle();
    expect(summary()).toHaveLength(2);
    expect(document.activeElement).toBe(input("company_name"));
    expect(status()).toBe("There is a problem.");
  });

  test("sends the source of the visit, if known", async () => {
    at("verified");
    sessionStorage.setItem("visit:source", "utm_source=poster&landing=hiresure-mgrow-2025");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    await settle();
    expect(bodyOf(create)).toMatchObject({ source: "utm_source=poster&landing=hiresure-mgrow-2025" });
  });

  test("enrols, starts the payment and opens the checkout, once", async () => {
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
    // The button works again after the page returns from the back/forward cache.
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

  test.each([
    ["which the visitor says on the next page, starts nothing", "₹1,499", [create], "/pay"],
    ["is settled at once where nothing is to be paid", "₹0", [create, initiate], "/checkout/t1"],
  ])("where there is more than one way to pay: it %s", async (_, final, asked, address) => {
    at("verified", {}, (view) => ({ ...view, choosesWay: true, price: { ...view.price, final } }));
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started(0)];
    await press("pay");
    expect(paths()).toEqual(asked);
    expect(go).toHaveBeenCalledExactlyOnceWith(address);
  });

  test("shows the full price if the coupon was used up meanwhile", async () => {
    at("coupon-applied");
    const text = "This coupon has just been used up.";
    await type({ coupon_code: "HALFPRICE" });
    replies[verification] = [refusal(402, "Verified.")];
    await press("send-code");
    replies[create] = [refusal(409, text, { coupon_code: text })];
    await press("pay");
    expect([summary(), price()]).toEqual([[text], ["₹1,499"]]);
    expect(go).not.toHaveBeenCalled();
  });

  test("keeps all input while the server is unreachable, and works again", async () => {
    at("verified");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    replies[create] = [new TypeError("Failed to fetch")];
    await press("pay");
    expect(find(".ticket-stub .notice").textContent).toBe(
      "Not sent: you are offline. Please try again once you are online.",
    );
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
    [500, "Something went wrong on our side. Please try again. If it happens again, quote 42."],
  ])("says what the server says (%d)", async (code, message) => {
    at("verified");
    replies[create] = [refusal(code, message)];
    await press("pay");
    expect(summary()).toEqual([message]);
  });

  test("requires a new verification after the session has ended", async () => {
    at("verified");
    const text = "Please verify the OTP.";
    replies[create] = [refusal(422, text, { phone_otp: text })];
    await press("pay");
    expect(error("phone_number")).toBe("Send a code to this number.");
    expect(button("send-code").textContent).toBe("Send code");
    replies[verification] = [ok({ request_id: "r2", resend_after: 60, expires_in: 600 })];
    await press("send-code");
    expect([error("phone_number"), error("otp"), document.activeElement]).toEqual(["", "", input("otp")]);
  });
});
