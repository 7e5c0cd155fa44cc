// Coupon and referral code.
import { act } from "react";
import { describe, expect, test } from "vitest";
import {
  at,
  bodyOf,
  button,
  calls,
  coupon,
  create,
  error,
  find,
  input,
  ok,
  paths,
  press,
  price,
  refusal,
  replies,
  settle,
  status,
  summary,
  type,
} from "./fixture.ts";
import { money } from "./money.ts";

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
    expect(price()).toEqual(["₹749.50", "Before: ₹1,499", "₹749.50 off HALFPRICE"]);
    expect(status()).toBe("Coupon applied: ₹749.50 off. You pay ₹749.50.");
    expect([input("coupon_code").value, find<HTMLElement>(".enrol-coupon").hidden]).toEqual(["HALFPRICE", true]);
    expect(document.activeElement).toBe(button("pay"));
    await press("remove-coupon");
    expect([price(), status()]).toEqual([["₹1,499"], "Coupon removed. You pay ₹1,499."]);
    expect([input("coupon_code").value, find<HTMLElement>(".enrol-coupon").hidden]).toEqual(["", false]);
    expect(document.activeElement).toBe(input("coupon_code"));
  });

  test("when applied, folds completed steps and leaves the open one", async () => {
    const open = () =>
      Array.from(document.querySelectorAll(".is-unfolded > .step-fields > legend"), ({ textContent }) => textContent);
    at("changed"); // no errors, and the first step is open
    expect(open()).toEqual(["Who is taking the exam?"]);
    replies[coupon] = [ok({ data: { final_amount: 999 } }), ok({ data: { final_amount: 999 } })];
    await type({ coupon_code: "MGROW500" });
    await press("apply-coupon");
    expect([open(), document.activeElement]).toEqual([[], button("pay")]);
    await press("change-consent");
    await type({ agreed_terms_conditions: false, coupon_code: "MGROW500" });
    await press("apply-coupon");
    expect(open()).toEqual(["Your consent"]);
  });

  test.each([
    ["", "Invalid coupon code. Please check and try again."],
    ["a!", "Invalid coupon code. Please check and try again."],
  ])("of the form %j is not looked up", async (typed, message) => {
    at("initial");
    await type({ coupon_code: typed });
    await press("apply-coupon");
    expect([calls, error("coupon_code")]).toEqual([[], message]);
  });

  test("rejected by the server does not change the price", async () => {
    at("initial");
    await type({ coupon_code: "NOSUCH" });
    const text = "Invalid coupon code. Please check and try again.";
    replies[coupon] = [refusal(422, text, { coupon_code: text })];
    await press("apply-coupon");
    expect([error("coupon_code"), price()]).toEqual([text, ["₹1,499"]]);
    expect([find(".ticket-stub").className, button("pay").className]).toEqual([
      "ticket-stub",
      "button button-gold-waits button-wide",
    ]);
    expect(button("remove-coupon").textContent).toBe("Go on without a code, ₹1,499");
  });

  test.each([
    ["initial", "ticket-stub is-early", () => input("fullname")],
    ["changed", "ticket-stub is-ready", () => button("pay")],
  ])("that is refused is left out, and the form goes on: %s", async (state, stub, next) => {
    at(state);
    await type({ coupon_code: "a!" });
    await press("apply-coupon");
    expect([find(".ticket-stub").className, button("pay").className]).toEqual([
      "ticket-stub",
      "button button-gold-waits button-wide",
    ]);
    expect(button("remove-coupon").textContent).toBe("Go on without a code, ₹1,499");
    await press("remove-coupon");
    expect([input("coupon_code").value, error("coupon_code"), price(), calls]).toEqual(["", "", ["₹1,499"], []]);
    expect(status()).toBe("No coupon. You pay ₹1,499.");
    expect(find<HTMLDetailsElement>(".enrol-coupon details").open).toBe(false);
    expect(document.activeElement).toBe(next());
    expect([find(".ticket-stub").className, document.querySelector('[value="remove-coupon"]')]).toEqual([stub, null]);
  });

  test("from the address is applied at the first touch, everywhere on the page", async () => {
    document.body.innerHTML =
      '<s data-price-before hidden>₹1,499</s><b data-price>₹1,499</b><span data-price-label="all taxes" data-price-with-coupon="Exam fee with">all taxes</span><i data-price data-tuition="450000"><span class="rupee">₹</span>4,51,499</i>';
    replies[coupon] = [ok({ data: { final_amount: 999 } })];
    at("prefilled-coupon");
    await settle();
    expect([status(), price()[0]]).toEqual(["Coupon applied: ₹500 off. You pay ₹999.", "₹999"]);
    const shown = () => [
      find("[data-price]").textContent,
      find("[data-price-label]").textContent,
      find<HTMLElement>("[data-price-before]").hidden,
      find("[data-tuition]").innerHTML,
    ];
    const kerned = '<span class="rupee">₹</span>';
    expect([shown(), document.activeElement]).toEqual([
      ["₹999", "Exam fee with MGROW500", false, `${kerned}4,50,999`],
      document.body,
    ]);
    await press("remove-coupon");
    expect(shown()).toEqual(["₹1,499", "all taxes", true, `${kerned}4,51,499`]);
  });

  test.each(["initial", "prefilled-coupon"])("that is being typed is not looked up: %s", async (state) => {
    at(state, { coupon_code: "MGR" });
    await settle();
    expect(paths()).not.toContain(coupon);
    expect([input("coupon_code").value, error("coupon_code")]).toEqual(["MGR", ""]);
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

  test("is looked up once when its field is left, and applied if valid", async () => {
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

  test("shows an error when its field is left, until it changes", async () => {
    at("initial");
    replies[of("NOBODY")] = [bad()];
    await give("NOBODY");
    expect([error("referral_code"), status(), badge()]).toEqual([wrong, wrong, undefined]);
    await press("send-code"); // shows more errors and keeps the coupon's
    expect(error("referral_code")).toBe(wrong);
    await type({ referral_code: "NOBODY1" });
    expect(error("referral_code")).toBe("");
  });

  test("is looked up after the press that left its field, and not during typing", async () => {
    at("initial");
    replies[of("NOBODY")] = [bad()];
    const pressing = (element: Element) =>
      act(() => {
        element.dispatchEvent(new Event("pointerdown", { bubbles: true }));
      });
    const release = async () => {
      act(() => {
        window.dispatchEvent(new Event("pointerup"));
      });
      await settle();
    };
    act(() => input("referral_code").focus());
    await type({ referral_code: "NOBODY" });
    pressing(input("referral_code"));
    await release();
    pressing(input("email"));
    act(() => input("referral_code").blur());
    await settle();
    expect([calls, error("referral_code")]).toEqual([[], ""]);
    await release();
    expect([paths(), error("referral_code")]).toEqual([[of("NOBODY")], wrong]);
  });

  test.each(["", "no!"])("of the form %j is not looked up", async (code) => {
    at("initial");
    await give(code);
    expect([calls, error("referral_code")]).toEqual([[], code && wrong]);
  });

  test("ignores a late response after another code was typed", async () => {
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

  test("that cannot be looked up now is left to the final submit, and looked up when left again", async () => {
    at("initial");
    replies[of("SETU2025")] = [refusal(429, "Too many tries."), new TypeError("offline"), good()];
    for (const shown of [undefined, undefined, "Applied"]) {
      await give("SETU2025");
      expect([badge(), error("referral_code")]).toEqual([shown, ""]);
    }
  });

  test("that turns out to be the visitor's own is removed", async () => {
    at("verified");
    replies[of("SETU2025")] = [good()];
    await give("SETU2025");
    replies[create] = [bad()];
    await press("pay");
    expect([error("referral_code"), badge(), summary()]).toEqual([wrong, undefined, [wrong]]);
  });
});
