// Each provider without scripts: paid by a plain form, or announced beforehand as needing scripts.
import { expectOutcome } from "../../outcomes.ts";
import { choose, expectChoice, providers, test } from "../../providers.ts";
import { expect } from "../../test.ts";

for (const provider of providers)
  test(`${provider.gateway} without scripts @long`, async ({ page, person }) => {
    await person.at("enrolled", "MGROW500");
    await choose(page, provider);
    if (provider.plain) {
      await page.getByRole("button", { name: provider.plain, exact: true }).click();
      await page.getByRole("button", { name: "Pay", exact: true }).click(); // on the provider's page
      const back = page.getByRole("button", { name: "Back to the shop" }); // provider pages that return by a script
      await expect(back.or(page.getByRole("heading", { level: 1, name: "You are enrolled" }))).toBeVisible();
      if (await back.isVisible()) await back.click();
      return expectOutcome(page, "paid");
    }
    // A browser with scripts switched off by a test does not render noscript, so the test reads the HTML.
    const says = "This way to pay needs JavaScript.";
    expect(await page.locator(".pay-form").innerHTML()).toContain(says);
    await expect(page.getByText("Opening the payment window…")).toBeHidden();
    await page.goto("/pay");
    const way = page.locator("label").filter({ has: page.locator(`input[value=${provider.gateway}]`) });
    expect(await way.innerHTML()).toContain(says);
  });

test("PROCEED TO PAY opens the choice, which says which methods need scripts", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.complete("MGROW500");
  await expectChoice(page);
});
