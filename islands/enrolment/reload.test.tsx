// What an abandoned enrolment keeps.
import { act } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { clearStorage, remove, save } from "../runtime/storage.ts";
import { openEnrolment } from "./draft.ts";
import {
  at,
  bodyOf,
  button,
  calls,
  coupon,
  create,
  error,
  find,
  forgetCalls,
  go,
  initiate,
  input,
  ok,
  pass,
  paths,
  person,
  press,
  price,
  refusal,
  replies,
  root,
  sent,
  settle,
  started,
  status,
  type,
  verification,
  verify,
} from "./fixture.ts";

describe("a reload", () => {
  function reload(early?: Record<string, string>, focused = "") {
    act(() => root?.unmount());
    document.body.replaceChildren();
    forgetCalls();
    at("initial", early, (view) => {
      if (focused) input(focused).focus();
      return view;
    });
  }
  const storage = () => JSON.stringify(Object.entries(sessionStorage));

  test("restores input and choices, and unfolds their groups", async () => {
    at("initial");
    const chosen = { company_name: "IIT", referral_code: "SETU2025", coupon_code: "HALF", guardian_name: "Meera" };
    await type({ ...person, ...chosen, agreed_terms_conditions: true });
    find<HTMLSelectElement>("#f-state").value = "Kerala";
    act(() => void find("#f-state").dispatchEvent(new InputEvent("input", { bubbles: true })));
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
    act(() => void find("#f-consents-reminders").dispatchEvent(new InputEvent("input", { bubbles: true })));
    reload();
    for (const [name, value] of Object.entries({ ...person, ...chosen, state: "Kerala" }))
      expect([name, input(name).value]).toEqual([name, value]);
    expect(input("agreed_terms_conditions").checked).toBe(true);
    expect(input("adult").checked).toBe(false);
    expect(find<HTMLInputElement>("#f-consents-reminders").checked).toBe(true);
    expect(find<HTMLInputElement>("#f-consents-marketing").checked).toBe(false);
    const groups = document.querySelectorAll<HTMLDetailsElement>("details[data-group]:not(.guardian details)");
    expect(Array.from(groups, ({ open }) => open)).toEqual([true, true, true]);
    expect(calls).toEqual([]);
  });

  test("restores the answer that the visitor is an adult", async () => {
    at("initial");
    await type({ adult: true });
    reload();
    expect([input("adult").checked, find<HTMLElement>(".guardian").hidden]).toEqual([true, true]);
  });

  test("keeps input typed before the script had loaded", async () => {
    at("initial");
    await type({ ...person, adult: true });
    reload({ fullname: "Asha K. Verma" });
    expect([input("fullname").value, input("email").value]).toEqual(["Asha K. Verma", person.email]);
  });

  test("keeps the step open, and the focus, where the visitor is typing", async () => {
    at("initial");
    await type(person);
    await press("continue-you");
    const unfolded = () =>
      Array.from(document.querySelectorAll(".is-unfolded > .step-fields > legend"), ({ textContent }) => textContent);
    reload({}, "email");
    expect(document.activeElement).toBe(input("email"));
    expect(unfolded()).toEqual(["Who is taking the exam?"]);
    reload({ fullname: "Asha K" });
    expect([input("fullname").value, input("email").value]).toEqual(["Asha K", person.email]);
    expect(unfolded()).toEqual(["Who is taking the exam?"]);
    reload({ fullname: "Asha K" }); // the browser has restored it
    expect(unfolded()).toEqual(["Your phone"]);
  });

  test("during the wait for a code shows its field and the remaining wait", async () => {
    await sent();
    await pass(20_000);
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

  test("after a code has expired asks for a new one", async () => {
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

  test("shows a number as verified until the server disagrees", async () => {
    await sent();
    replies[verify] = [ok()];
    await type({ otp: "123456" });
    await type({ adult: true, agreed_terms_conditions: true, selected_course: "Blockchain", state: "Kerala" });
    reload();
    expect(find('[data-field="phone_number"] .verified').textContent).toBe("Verified");
    const text = "Please verify the OTP.";
    replies[create] = [refusal(422, text, { phone_otp: text })];
    await press("pay");
    expect(error("phone_number")).toBe("Send a code to this number.");
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("applies the coupon again, because the price is the server's", async () => {
    at("initial");
    replies[coupon] = [ok({ data: { final_amount: 749.5 } })];
    await type({ coupon_code: "halfprice" });
    await press("apply-coupon");
    replies[coupon] = [ok({ data: { final_amount: 1000 } })];
    reload();
    await settle();
    expect(paths()).toEqual([coupon]);
    expect(price()).toEqual(["₹1,000", "Before: ₹1,499", "₹499 off HALFPRICE"]);

    const text = "Invalid coupon code. Please check and try again.";
    replies[coupon] = [refusal(422, text, { coupon_code: text })];
    reload();
    await settle();
    expect([error("coupon_code"), price()]).toEqual([text, ["₹1,499"]]);
    expect(document.activeElement).toBe(document.body);
  });

  test("applies the coupon in the background", async () => {
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
    expect(price()).toEqual(["₹749.50", "Before: ₹1,499", "₹749.50 off HALFPRICE"]);
    expect(document.activeElement).toBe(input("otp"));
  });

  test("deletes a draft of another version of the script", async () => {
    sessionStorage.setItem(
      "enrolment:draft:KS_Mgrow",
      JSON.stringify({ at: Date.now(), values: { fullname: "Asha" } }),
    );
    at("initial");
    await settle();
    expect(sessionStorage).toHaveLength(0);
    expect(button("send-code").textContent).toBe("Send code");
  });

  test("also restores sent input until it is paid", async () => {
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

  test("then shows the pending payment until it is paid", async () => {
    at("verified");
    expect(document.body.textContent).not.toContain("not received your payment");
    replies[create] = [ok({ scholarship_requested_id: "s1" })];
    replies[initiate] = [started()];
    await press("pay");
    expect(sessionStorage.getItem("enrolment:open")).toBe('"KS_Mgrow"');
    act(() => {
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    const notice = () => document.querySelector(".ticket-body > .notice-info")?.textContent;
    expect(notice()).toBe(
      "We have not received your payment yet. Check your details, then pay. You will not be charged twice.",
    );
    expect(find(".stepper li:last-child").textContent).toBe("Pay is next");
    expect(document.querySelectorAll(".stepper path.waiting")).toHaveLength(2);
    reload();
    expect(notice()).toBe(
      "We have not received your payment yet. Check your details, then pay. You will not be charged twice.",
    );
    remove(openEnrolment);
    reload();
    expect(notice()).toBeUndefined();
  });

  test("of another event's form does not show it", () => {
    save(openEnrolment, "KS_Campus");
    at("initial");
    expect(document.querySelector(".ticket-body > .notice-info")).toBeNull();
  });

  test("restores nothing if the browser has no storage", async () => {
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

  test("stores input on the server with consent", async () => {
    at("initial");
    await type(person);
    const reminders = find<HTMLInputElement>("#f-consents-reminders");
    reminders.checked = true;
    leave();
    const [path, body] = beacon.mock.calls[0] ?? [];
    expect(path).toBe("/ks-website/v1/abandoned-enrolment");
    expect(JSON.parse(body)).toEqual({ ...person, scholarship_code: "KS_Mgrow", consents: ["reminders"] });
  });

  test("has solved the human check before, because leaving cannot wait", async () => {
    const answers = fetch;
    const challenge = { provider: "pow", salt: "s", difficulty: 1, expires: 1, signature: "x" };
    const asked = vi.fn();
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      if (path !== "/human/challenge") return answers(path, init);
      asked();
      return Response.json(challenge);
    });
    at("initial");
    const change = async (name: string) => {
      act(() => {
        input(name).dispatchEvent(new Event("change", { bubbles: true }));
      });
      await settle();
    };
    await type(person);
    await change("phone_number");
    expect(asked).not.toHaveBeenCalled();
    consent();
    await change("consents");
    await change("phone_number");
    expect(asked).toHaveBeenCalledOnce();
    leave();
    const { captcha_token, ...rest } = JSON.parse(beacon.mock.calls[0]?.[1]);
    expect(JSON.parse(atob(captcha_token))).toMatchObject({ salt: "s", signature: "x" });
    expect(rest).toEqual({ ...person, scholarship_code: "KS_Mgrow", consents: ["reminders"] });
  });

  test("stores nothing without consent", async () => {
    at("initial");
    await type(person);
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  test("stores nothing without a way to reach the visitor", async () => {
    at("initial");
    await type({ fullname: "Asha Verma", email: "asha@" });
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  const consent = () => {
    find<HTMLInputElement>("#f-consents-reminders").checked = true;
  };

  test("stores nothing when leaving to pay, unless the visitor returns and leaves again", async () => {
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

  test("stores nothing when a returning visitor is sent to pay", async () => {
    await sent();
    consent();
    replies[verify] = [ok({ scholarship_requested_id: "s1" })];
    await type({ otp: "123456" });
    await pass(1500);
    expect(go).toHaveBeenCalledWith("/pay");
    leave();
    expect(beacon).not.toHaveBeenCalled();
  });

  test("stores input if the payment could not be started", async () => {
    at("verified");
    consent();
    replies[create] = [new TypeError("Failed to fetch")];
    await press("pay");
    leave();
    expect(beacon).toHaveBeenCalledOnce();
  });
});
