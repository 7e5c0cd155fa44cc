// Each provider where no script runs: it is paid by a plain form, or says before that it can not be.
import { expectOutcome } from "../../outcomes.ts";
import { choose, press, providers, test } from "../../providers.ts";
import { expect } from "../../test.ts";

for (const provider of providers)
  test(`${provider.gateway} without scripts`, async ({ page, person }) => {
    await person.at("enrolled", "MGROW500");
    await choose(page, provider);
    if (provider.plain) {
      await page.getByRole("button", { name: /^Pay/ }).click();
      await press(page, "Pay");
      return expectOutcome(page, "paid");
    }
    await expect(page.getByText("This way to pay needs JavaScript.")).toBeVisible();
    await page.getByRole("link", { name: "Back to your payment" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your payment is still open");
  });
