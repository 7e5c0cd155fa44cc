// Browser behaviour during a provider's payment; independent of database and window size.
import { expectOutcome } from "./outcomes.ts";
import { choose, closed, expectChoice, expectMails, played, providers, test } from "./providers.ts";
import { expect } from "./test.ts";

for (const provider of providers)
  test.describe(provider.gateway, () => {
    test.beforeEach(async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await choose(page, provider);
    });

    if (provider.script)
      test("reports a blocked script and links to another method @long", async ({ page, faults, site }) => {
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

    test("is reloaded in the middle @long", async ({ page }) => {
      await provider.opened(page);
      await page.reload();
      await provider.pay(page);
      await expectOutcome(page, "paid");
    });

    test("is left by the browser's back button @long", async ({ page }) => {
      await provider.opened(page);
      await page.goBack();
      if (provider.elsewhere) {
        await expect(page.getByRole("alert")).toHaveText(closed);
        await expect(page).toHaveURL(/\/checkout\//);
        await page.getByRole("button", { name: /^No, pay / }).click();
      } else await choose(page, provider);
      await provider.pay(page);
      await expectOutcome(page, "paid");
      await page.goBack(); // to the provider's page or our checkout, where nothing is left to pay
      await page.goto("/pay");
      await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
    });

    test("is paid in a browser that has lost its session @long", async ({ page, person, context }) => {
      await provider.opened(page);
      await context.clearCookies();
      await provider.pay(page);
      await expectOutcome(page, "paid");
      for (const own of [person.name, person.email, person.phone, "Data Analytics", "Receipt", "₹"])
        await expect(page.getByText(own)).toHaveCount(0);
      await person.mail("You are enrolled: ");
      await page.goto("/pay");
      await expect(page).toHaveURL("/account/sign-in?next=%2Fpay"); // the session is lost
    });

    test("allows no other script @long", async ({ page, faults, site }) => {
      if (provider.elsewhere) {
        await page.route(
          (url) => url.origin !== site.url,
          () => {}, // never answers, so that the page stays
        );
        await choose(page, provider);
      }
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.src = "http://127.0.0.1:9/of-somebody-else.js";
        document.head.append(script);
      });
      await expect.poll(() => faults.found.splice(0).join()).toContain("Content Security Policy");
    });
  });

test("PROCEED TO PAY opens the choice of methods with what each needs", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.complete("MGROW500");
  await expectChoice(page);
});

type Tab = "first" | "second";

/** Opens one checkout per tab and pays both in this order. */
const tabs: readonly { first: string; second: string; paid: readonly [Tab, Tab]; twice: boolean }[] = [
  { first: "razorpay", second: "payu", paid: ["first", "second"], twice: true },
  { first: "payu", second: "razorpay", paid: ["second", "first"], twice: true },
  { first: "stripe", second: "cashfree", paid: ["first", "second"], twice: false }, // we cancel the other attempt at the provider
  { first: "paypal", second: "twocheckout", paid: ["first", "second"], twice: false }, // we no longer capture the other attempt
  { first: "twocheckout", second: "paypal", paid: ["first", "second"], twice: false },
];

for (const { first, second, paid, twice } of tabs) {
  const kept = twice ? "one charge stays, and the other goes back" : "the first is refused";
  test(`two tabs, ${first} and ${second}, the ${paid[0]} is paid first: ${kept} @long`, async ({
    page,
    person,
    context,
  }) => {
    await person.at("enrolled", "MGROW500");
    const tab = { first: page, second: await context.newPage() };
    const by = { first: played(first), second: played(second) };
    const open = async (one: Tab) => {
      await choose(tab[one], by[one]);
      await by[one].opened(tab[one]);
    };
    await open("first");
    await open("second");
    const [before, after] = paid;
    await by[before].pay(tab[before]);
    await expectOutcome(tab[before], twice ? "paid" : "failed");
    await by[after].pay(tab[after]);
    if (twice) {
      await expect(tab[after].locator(".money-note")).toContainText("You paid twice"); // the refund may be sent already
    } else await expectOutcome(tab[after], "paid");
    await expectMails(
      person,
      "You are enrolled: ",
      ...(twice ? ["You paid twice: we are refunding ₹999.00", "You paid twice: refund of ₹999.00 sent"] : []),
    );
    await page.goto("/pay");
    await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
  });
}

test("the button covers no method that the keyboard reaches", async ({ page, person }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await person.at("enrolled");
  for (const height of [640, 780]) {
    await page.setViewportSize({ width: 360, height });
    await page.goto("/pay");
    await page.getByRole("radio", { checked: true }).focus();
    for (const _ of providers) {
      await page.keyboard.press("ArrowDown");
      const covered = await page.evaluate(() => {
        const way = document.activeElement as HTMLElement;
        const { x, y, width, height } = way.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) !== way;
      });
      expect(covered, await page.getByRole("radio", { checked: true }).inputValue()).toBe(false);
    }
  }
});

test("a closed window does not open again after another tab has paid", async ({ page, person, context }) => {
  const [window, card] = [played("razorpay"), played("stripe")];
  await person.at("enrolled", "MGROW500");
  await choose(page, window);
  await window.close?.(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The payment window is closed");
  await expect(page.getByRole("heading", { name: "Did you approve it?" })).toBeFocused();
  const other = await context.newPage();
  await choose(other, card);
  await card.pay(other);
  await expectOutcome(other, "paid");
  await page.getByRole("button", { name: "No, pay ₹999" }).click();
  await expect(page.getByText("You are enrolled: another payment of yours went through.")).toBeVisible();
  await expectMails(person, "You are enrolled: ");
});
