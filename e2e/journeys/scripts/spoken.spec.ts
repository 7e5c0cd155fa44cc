// What a screen reader announces during an enrolment: changes of live regions and of the focus, in order.
import { expect, test } from "../../test.ts";

declare global {
  interface Window {
    spoken: string[];
  }
}

test("a screen reader announces each event of an enrolment once", async ({ page, person, enrolment }) => {
  await page.addInitScript(() => {
    window.spoken = [];
    const tell = (text: string) => {
      if (text) window.spoken.push(text);
    };
    addEventListener("DOMContentLoaded", () => {
      const status = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest('[role="status"]');
      new MutationObserver((changes) => {
        const regions = new Set(changes.map(({ target }) => status(target)));
        for (const region of regions) if (region?.closest("form")) tell(region.textContent?.trim() ?? "");
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            if (node instanceof Element && node.matches('[role="alert"]')) tell(`alert: ${node.textContent}`);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
        tell(`focus: ${target.labels?.[0]?.textContent ?? target.name}`);
      else if (target instanceof Element && target.matches(".error-summary, .to-do"))
        tell(`focus: ${[...target.querySelectorAll("h2, p")].map(({ textContent }) => textContent).join(". ")}`);
    });
  });
  await page.goto("/scholarship/hiresure-mgrow-2025?couponCode=MGROW500");
  await enrolment.takenOver();
  await expect(enrolment.price).toContainText("₹999");
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await expect(enrolment.form.getByRole("status")).not.toBeEmpty();
  await enrolment.giveCode(await person.wrongCode());
  await enrolment.expectError(enrolment.field("OTP"), "Invalid OTP");
  await enrolment.giveCode(await person.code());
  await enrolment.expectVerified();
  await enrolment.proceedToPay();
  await expect(enrolment.toDo).toBeFocused();
  await enrolment.field("Course").selectOption("Data Analytics");
  await enrolment.field("State").selectOption("Maharashtra");
  await enrolment.goOn("What do you want to be good at?");
  await enrolment.field("I am 18 or older").check();
  await enrolment.agree();
  await enrolment.press("Remove coupon MGROW500");
  await enrolment.applyCoupon("MGROW500");
  await expect(enrolment.form.getByRole("button", { name: "PROCEED TO PAY" })).toBeFocused();
  // "Sending…" is said only if an answer takes long.
  const all = await page.evaluate(() => window.spoken);
  expect(all.filter((text, i) => text === "Sending…" && text === all[i - 1])).toEqual([]);
  const heard = all.filter((text) => text !== "Sending…");
  test.info().annotations.push({ type: "transcript", description: heard.join("\n") });
  const phone = `+91 ${person.phone.slice(0, 5)} ${person.phone.slice(5)}`;
  expect(heard).toEqual([
    "focus: Full name", // nothing of the coupon, whose price the page has from the beginning
    "focus: E-mail",
    "focus: Mobile number",
    "focus: OTP",
    `Code sent to ${phone}.`,
    "Invalid OTP", // the focus stays and the digits are selected
    "focus: Course",
    "Mobile number verified.",
    "focus: 2 steps before you pay", // not repeated while they are done
    "focus: I am 18 or older",
    "focus: I agree to the Terms & conditions, the Refund Policy and the Legal Disclosure",
    "focus: Coupon code",
    "Coupon removed. You pay ₹1,499.",
    "Coupon applied: ₹500 off. You pay ₹999.",
  ]);
});
