// What a browser does to a payment at a provider, which is the same on each database and in each window.
import { expectOutcome } from "./outcomes.ts";
import { choose, cutReturns, type PlayedProvider, provider, providers, test } from "./providers.ts";
import { expect, type Visitor } from "./test.ts";

const closed = "You closed the payment window. Nothing has been charged by that.";

for (const provider of providers)
  test.describe(provider.gateway, () => {
    test.beforeEach(async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await choose(page, provider);
    });

    if (provider.script)
      test("says that its script is blocked, and leads to another method", async ({ page, faults, site }) => {
        faults.allow(/ERR_FAILED/);
        await page.route(
          (url) => url.origin !== site.url && /\.js$|^\/sdk\/js$/.test(url.pathname),
          (route) => route.abort(),
        );
        await page.reload();
        const another = page.getByRole("link", { name: "Another method" });
        if (provider.plain) {
          await expect(page.getByRole("alert")).toHaveText(
            "The payment window failed to load. Pay with the buttons here instead.",
          );
          await another.click();
          await expect(page.getByRole("group", { name: "How do you want to pay?" })).toBeVisible();
          return;
        }
        await expect(page.getByRole("alert")).toHaveText("The payment window failed to load. Are you online?");
        await expect(another).toBeVisible();
        await page.unrouteAll();
        await page.getByRole("button", { name: "Try again" }).click();
        await provider.pay(page);
        await expectOutcome(page, "paid");
      });

    test("is loaded again in the middle", async ({ page }) => {
      if (provider.elsewhere) await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
      else await expect(page).toHaveURL(/\/checkout\//);
      await page.reload();
      await provider.pay(page);
      await expectOutcome(page, "paid");
    });

    test("is left by the browser's back button", async ({ page }) => {
      if (provider.elsewhere) {
        await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
        await page.goBack();
        await expect(page.getByRole("alert")).toHaveText(closed);
        await expect(page).toHaveURL(/\/checkout\//);
        await page.getByRole("button", { name: "Open it again" }).click();
      } else {
        await expect(page).toHaveURL(/\/checkout\//);
        await page.goBack();
        await choose(page, provider);
      }
      await provider.pay(page);
      await expectOutcome(page, "paid");
      await page.goBack(); // to the provider's page, or our checkout, where nothing is left to pay
      await page.goto("/pay");
      await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
    });

    test("is paid in a browser that has lost its session", async ({ page, person, context }) => {
      if (provider.elsewhere) await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
      await context.clearCookies();
      await provider.pay(page);
      await expectOutcome(page, "paid");
      for (const own of [person.name, person.email, person.phone, "Data Analytics", "Receipt", "₹"])
        await expect(page.getByText(own)).toHaveCount(0);
      await person.mail("Paid: ");
      await page.goto("/pay");
      await expect(page).toHaveURL("/#no-enrolment");
    });

    test("lets no other script in", async ({ page, faults }) => {
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.src = "http://127.0.0.1:9/of-somebody-else.js";
        document.head.append(script);
      });
      await expect.poll(() => faults.found.splice(0).join()).toContain("Content Security Policy");
    });
  });
