// A server-rendered page with errors focuses their summary, where a screen reader starts to read.
import { type State, states } from "../../states.ts";
import { expect, test } from "../../test.ts";

const refused = states.filter(({ name }) => name.endsWith(", errors"));

test("the server checks seven forms", () =>
  expect(refused.map(({ name }: State) => name).sort()).toEqual([
    "application, guardian, errors",
    "application, step 1, errors",
    "application, step 3, errors",
    "enquiry, errors",
    "enrolment, pay pressed early, errors",
    "grievance, errors",
    "sign up, errors",
  ]));

for (const { name, open } of refused)
  test(`${name}: the summary has the focus`, async ({ page, person, enrolment }) => {
    await open({ page, person, enrolment });
    const summary = page.locator(".error-summary, .to-do");
    await expect(summary).toBeFocused();
    await expect(summary).toBeInViewport();
  });

test("a page without errors focuses the form", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await expect(page).toHaveURL(/#enrolment$/);
  await expect(enrolment.form).toBeInViewport();
  await expect(enrolment.field("OTP")).toBeFocused();
});

test("PROCEED TO PAY looks pressable, however much is filled in", async ({ page, enrolment }) => {
  await enrolment.open();
  const gold = await page
    .locator(".button-gold")
    .first()
    .evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect(enrolment.form.getByRole("button", { name: "PROCEED TO PAY" })).toHaveCSS("background-color", gold);
});
