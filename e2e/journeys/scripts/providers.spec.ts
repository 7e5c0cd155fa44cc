// Paying through each provider's widget with the simulator's script and page; e2e/providers.spec.ts tests the browser's part. The
// everyday run has a payment that is declined and then paid through each kind: a window, the provider's page, fields and buttons.
import { expectOutcome } from "../../outcomes.ts";
import { choose, closed, cutReturns, expectMails, providers, test } from "../../providers.ts";
import { expect } from "../../test.ts";

const daily = ["razorpay", "payu", "stripe", "paypal"];

for (const provider of providers) {
  const { gateway, bank, close, elsewhere, refused } = provider;
  test.describe(gateway, () => {
    test.beforeEach(async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await choose(page, provider);
    });

    test("pays @long", async ({ page, person }) => {
      await provider.pay(page);
      await expectOutcome(page, "paid");
      await person.mail("You are enrolled: ");
      await page.goto("/pay");
      await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
    });

    test("pays if the browser never returns @long", async ({ page, person, faults }) => {
      faults.allow(/ERR_FAILED/);
      if (bank?.elsewhere) {
        await bank.ask(page); // before the bank's page the browser brings us the token to charge, without which nothing is paid
        await cutReturns(page);
        await bank.confirm(page);
      } else {
        await cutReturns(page);
        await provider.pay(page);
      }
      await person.mail("You are enrolled: "); // triggered by the webhook, because nothing else has asked yet
      expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
    });

    if (close)
      test("is closed and opened again @long", async ({ page, context }) => {
        await close(page);
        if (elsewhere) {
          await expectOutcome(page, "failed");
          await choose(page, provider);
        } else {
          await expect(page.getByRole("alert")).toHaveText(closed);
          const approved = page.getByRole("link", { name: "Yes, or not sure: check it" });
          const asked = await context.newPage();
          await asked.goto((await approved.getAttribute("href")) ?? "");
          await expectOutcome(asked, "pending");
          await page.getByRole("button", { name: /^No, pay / }).click();
        }
        await provider.pay(page);
        await expectOutcome(page, "paid");
      });

    test(`is declined and retried${daily.includes(gateway) ? "" : " @long"}`, async ({ page, person }) => {
      await provider.decline(page);
      if (refused) await expect(page.getByRole("alert")).toHaveText(refused);
      else {
        await expectOutcome(page, "failed");
        await page.getByRole("link", { name: "Another method" }).click();
        await expect(page.getByRole("group", { name: "How do you want to pay?" }).getByRole("radio")).toHaveCount(7);
        await expect(page.locator(`[name=gateway][value=${gateway}]`)).not.toBeChecked(); // not preselected, because it has just failed
        await page.goBack();
        await page.getByRole("button", { name: "Try again" }).click(); // the same provider at once
      }
      await provider.pay(page);
      await expectOutcome(page, "paid");
      await expectMails(person, "You are enrolled: ");
    });

    if (bank)
      test("goes to the bank, which refuses and then confirms @long", async ({ page, person }) => {
        await bank.ask(page);
        await bank.refuse(page);
        if (!bank.elsewhere) await expect(page.getByRole("alert")).toBeVisible();
        else {
          await expectOutcome(page, "failed");
          await choose(page, provider);
        }
        await bank.ask(page);
        await bank.confirm(page);
        await expectOutcome(page, "paid");
        await expectMails(person, "You are enrolled: ");
      });
  });
}
