// The whole island: typing, Enter, a guardian, unreadable responses.
import { readFileSync } from "node:fs";
import { act } from "react";
import { describe, expect, test } from "vitest";
import indianNumbers from "../../forms/testdata/indian-numbers.json";
import { tidy } from "../forms/input.ts";
import {
  at,
  bodyOf,
  button,
  calls,
  coupon,
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
  replies,
  resend,
  settle,
  stands,
  started,
  status,
  summary,
  type,
  verification,
  verify,
} from "./fixture.ts";
import start from "./main.tsx";

describe("while typing", () => {
  test("a field is checked when it is left, then at each change", async () => {
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

  test("a message waits until the press has ended", async () => {
    at("initial");
    await type({ fullname: "A" });
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
    expect(error("fullname")).toBe("Name must be 2-50 characters and contain only letters.");
  });

  test.each([
    ["fullname", "  Asha Verma ", "Asha Verma "],
    ["email", " asha @example.com ", "asha @example.com "],
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

  test("a number filled in without an input event is tidied when the field is left and when the form is sent", async () => {
    at("initial");
    input("phone_number").value = "+91 98765 00055";
    act(() => input("phone_number").focus());
    act(() => input("phone_number").blur());
    expect(input("phone_number").value).toBe("9876500055");
    await type({ adult: false });
    input("guardian_phone").value = "09876500066";
    await press("pay");
    expect([input("guardian_phone").value, error("guardian_phone")]).toEqual(["9876500066", ""]);
  });

  test("the caret keeps its place when white space is removed", async () => {
    at("initial");
    const phone = input("phone_number");
    phone.value = "98 765";
    phone.setSelectionRange(4, 4);
    act(() => {
      phone.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    expect([phone.value, phone.selectionStart]).toEqual(["98765", 3]);
  });

  test("the guardian's fields show for minors only", async () => {
    at("initial");
    const guardian = find<HTMLElement>(".guardian");
    expect(guardian.hidden).toBe(true);
    await type({ adult: false });
    expect(guardian.hidden).toBe(false);
    await type({ adult: true });
    expect(guardian.hidden).toBe(true);
  });

  test("the ticket shows name and course while typing", async () => {
    at("initial");
    const lines = () => Array.from(document.querySelectorAll(".enrol-lines dd"), ({ textContent }) => textContent);
    expect(lines()).toEqual(["Not filled in", "Not chosen"]);
    await type({ fullname: " Asha P", selected_course: "Data_Analytics" });
    expect(lines()).toEqual(["Asha P", "Data Analytics"]);
  });

  test("a completed step folds, and its row opens it again", async () => {
    at("initial");
    const open = () => find(".is-unfolded legend").textContent;
    const left = () => find(".enrol-price-missing").textContent;
    await type({ fullname: "Asha Verma" });
    await press("continue-you");
    expect([open(), error("email"), document.activeElement]).toEqual([
      "Who is taking the exam?",
      "Email is required.",
      input("email"),
    ]);
    await type({ email: "asha@example.com" });
    await press("continue-you");
    expect([open(), left()]).toEqual(["Your phone", "Coupon? Add it later."]);
    expect(document.activeElement).toBe(input("phone_number"));
    expect(find(".step-done p").textContent).toBe("Asha Verma asha@example.com");
    expect(find(".stepper ol").getAttribute("aria-label")).toBe("1 of 5 steps done");
    await press("change-you");
    expect([open(), document.activeElement]).toEqual(["Who is taking the exam?", input("fullname")]);
    expect(calls).toEqual([]);
  });

  test("a repeated message is announced again", async () => {
    at("initial");
    await type(person);
    await type({ phone_number: "12" });
    act(() => input("phone_number").focus());
    await press("enter");
    const first = status();
    await press("enter");
    expect([first, status()]).toEqual([
      "Indian phone number must start with 6-9 and be exactly 10 digits.",
      "Indian phone number must start with 6-9 and be exactly 10 digits.\u00a0",
    ]);
  });
});

describe("Enter", () => {
  test.each([
    ["initial", "phone_number", verification],
    ["code-wrong", "otp", verify],
    ["initial", "coupon_code", coupon],
    ["verified", "email", create],
  ])("in %s, at %s, asks %s", async (state, name, path) => {
    at(state);
    if (state === "initial") await type({ ...person, coupon_code: "MGROW500" });
    act(() => input(name).focus());
    await press("enter");
    expect(paths()).toEqual([path]);
  });
});

test("Enter goes from the name to the e-mail, and presses the step's button there", async () => {
  at("initial");
  await type({ fullname: "Asha Verma" });
  act(() => input("fullname").focus());
  await press("enter");
  expect([document.activeElement, error("email"), calls]).toEqual([input("email"), "", []]);
  await type({ email: "asha@example.com" });
  await press("enter");
  expect(find(".step-done b").textContent).toBe("Asha Verma");
});

describe("a guardian", () => {
  /** The row of the agreement, and whether the fields are hidden. */
  const agreed = () => [
    document.querySelector(".guardian .step-done p")?.textContent?.replace("agreed ", "agreed"),
    find<HTMLElement>(".guardian > .fields").hidden,
  ];

  test("who has agreed is a row, until Change opens the fields", async () => {
    at("guardian-verified");
    expect(agreed()).toEqual(["Meera Verma agreed+91 98765 43211", true]);
    expect(find(".guardian").textContent).not.toContain("Read this with your parent or guardian");
    await press("change-guardian");
    expect([agreed(), document.activeElement]).toEqual([[undefined, false], input("guardian_name")]);
    expect(find("[data-field=guardian_phone] .verified").textContent).toBe("Verified");
    await type({ guardian_phone: "9876543212" });
    replies[verification] = [ok({ request_id: "g2", resend_after: 60, expires_in: 600 })];
    await press("send-guardian-code");
    replies[verify] = [ok()];
    await type({ guardian_otp: "123456" });
    expect(agreed()).toEqual(["Meera Verma agreed+91 98765 43212", true]);
  });

  test("verifies another phone with a separate code", async () => {
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
      fullname: "Asha Verma", // for the guardian's message
      guardian_shares_phone: false,
    });
    replies[verify] = [ok()];
    await type({ guardian_otp: "123456" });
    expect(bodyOf(verify)).toMatchObject({ purpose: "guardian", request_id: "g1", guardian_otp: "123456" });
    expect(status()).toBe("Guardian’s mobile number verified.");
    expect(agreed()).toEqual(["Meera Verma agreed+91 98765 43211", true]);
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

  test("agrees on the student's phone, if they share it, with a code of their own", async () => {
    at("verified");
    await type({ adult: false, guardian_name: "Meera Verma" });
    const asked = () => document.querySelector<HTMLElement>("[data-field=guardian_shares_phone]")?.hidden === false;
    expect(asked()).toBe(false);
    await type({ guardian_phone: "98765 43210" });
    expect(asked()).toBe(true);
    expect(document.querySelectorAll("[data-field^=guardian] .error:not([hidden])")).toHaveLength(0);
    const fields = find(".guardian > .fields"); // the question among them is asked before the code
    expect(fields.nextElementSibling).toBe(button("send-guardian-code"));

    await type({ guardian_shares_phone: true });
    await press("send-guardian-code");
    expect(paths()).not.toContain(verification); // relation and year of birth are missing
    await type({ guardian_relation: "Mother", guardian_birth_year: "1981" });
    replies[verification] = [ok({ request_id: "g1", resend_after: 60, expires_in: 600 })];
    await press("send-guardian-code");
    expect(bodyOf(verification)).toMatchObject({ guardian_phone: "9876543210", guardian_shares_phone: true });
    replies[verify] = [ok(), ok()];
    await type({ guardian_otp: "123456" });
    expect(agreed()).toEqual(["Meera Verma agreed+91 98765 43210", true]);
    await type({ phone_number: "9876543219" }); // no longer the same phone
    expect(agreed()).toEqual(["Meera Verma agreed+91 98765 43210", true]);
    await type({ phone_number: "9876543210", guardian_birth_year: "2015" });
    expect(agreed()).toEqual([undefined, false]); // too young
    await type({ guardian_birth_year: "1981" });
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(bodyOf(create)).toMatchObject({
      guardian_phone: "9876543210",
      guardian_shares_phone: true,
      guardian_relation: "Mother",
      guardian_birth_year: "1981",
    });
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
    ["to a coupon, without a price", "initial", "apply-coupon", coupon, () => ok(), "coupon_code"],
    [
      "to a coupon, with a price below nothing",
      "initial",
      "apply-coupon",
      coupon,
      () => ok({ data: { final_amount: -1 } }),
      "coupon_code",
    ],
  ])("%s, leaves what was typed, and says so there", async (_, state, action, path, reply, place) => {
    at(state);
    if (state === "initial") await type({ ...person, coupon_code: "MGROW500" });
    const typed = new FormData(find("form"));
    replies[path] = [reply()];
    await press(action);
    expect(find(`[data-field="${place}"] .notice-waiting`).textContent).toBe(unreadable);
    expect([...new FormData(find("form"))]).toEqual([...typed]);
    expect(document.querySelector(".verified, .enrol-price-coupon")).toBeNull();
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

  test("to a referral code is left to the final submit", async () => {
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

  test("in the page is an error only if something is missing", async () => {
    const read = (extension: string) =>
      readFileSync(`${import.meta.dirname}/testdata/initial.${extension}`, "utf8").trimEnd();
    document.body.innerHTML = `<div id="place"><script type="application/json">${read("json")}</script><div class="island-root">${read("html")}</div></div>`;
    act(() => {
      stands(start(find("#place")));
    });
    await press("send-code");
    expect(error("fullname")).toBe("Full name is required.");
  });
});
