// Paying through each provider's widget: its script and its page are the simulator's.
import { expectOutcome } from "../../outcomes.ts";
import { choose, press, providers, test } from "../../providers.ts";
import { expect } from "../../test.ts";

const closed = "You closed the payment window. Nothing has been charged by that.";

for (const provider of providers) {
  test.describe(provider.gateway, () => {
    test.beforeEach(async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await choose(page, provider);
    });

    test("pays", async ({ page, person }) => {
      await press(page, provider, "Pay");
      await expectOutcome(page, "paid");
      await person.mail("Paid: ");
      await page.goto("/pay");
      await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
    });

    test("pays where the browser never comes back", async ({ page, person, faults }) => {
      faults.allow(/ERR_FAILED/);
      await page.route(/\/checkout\/[^/]+\/return/, (route) => route.abort());
      await press(page, provider, "Pay");
      await person.mail("Paid: "); // by the webhook: nobody else has asked yet
      expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
    });

    test("is closed, and opened again", async ({ page }) => {
      await press(page, provider, "Close");
      if (provider.elsewhere) {
        await expectOutcome(page, "failed");
        await choose(page, provider); // "Try again" goes to one that has not just failed
      } else {
        await expect(page.getByRole("alert")).toHaveText(closed);
        await page.getByRole("button", { name: "Open it again" }).click();
      }
      await press(page, provider, "Pay");
      await expectOutcome(page, "paid");
    });

    test("is declined, and tried again", async ({ page, person }) => {
      await press(page, provider, "Decline");
      if (!provider.elsewhere) await press(page, provider, "Close"); // where one may try once more
      await expectOutcome(page, "failed");
      await choose(page, provider);
      await press(page, provider, "Pay");
      await expectOutcome(page, "paid");
      await person.mail("Paid: ");
      expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
    });

    test("says that its script is blocked, and leads to another method", async ({ page, faults, site }) => {
      faults.allow(/ERR_FAILED/);
      await page.route(
        (url) => url.origin !== site.url && url.pathname.endsWith(".js"),
        (route) => route.abort(),
      );
      await page.reload();
      if (provider.plain) {
        await expect(page.getByRole("alert")).toHaveText(
          "The payment window failed to load. Pay with the buttons here instead.",
        );
        await expect(page.getByRole("link", { name: "Another method" })).toBeVisible();
        return;
      }
      await expect(page.getByRole("alert")).toHaveText("The payment window failed to load. Are you online?");
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await press(page, provider, "Pay");
      await expectOutcome(page, "paid");
    });

    test("is loaded again in the middle", async ({ page }) => {
      await expect(page).toHaveURL(/\/checkout\//);
      await page.reload();
      await press(page, provider, "Pay");
      await expectOutcome(page, "paid");
    });

    if (provider.elsewhere)
      test("is left by the browser's back button", async ({ page }) => {
        await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
        await page.goBack();
        await expect(page.getByRole("alert")).toHaveText(closed);
        await expect(page).toHaveURL(/\/checkout\//);
        await page.getByRole("button", { name: "Open it again" }).click();
        await press(page, provider, "Pay");
        await expectOutcome(page, "paid");
        await page.goBack(); // to the provider's page, where nothing is left to pay
        await page.goto("/pay");
        await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
      });
  });
}
