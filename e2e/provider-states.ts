// Paying with real providers in all states of our pages; the providers' own pages are the simulators'.
import { expect, type Page } from "@playwright/test";
import { applied } from "./fee-states.ts";
import { expectOutcome } from "./outcomes.ts";
import { choose, closed, type PlayedProvider, played } from "./providers.ts";
import type { State } from "./states.ts";

/** One of each kind: a window over the page, a wallet for foreign payers, fields in the page. */
export const gateways = "razorpay,paypal,stripe";
const [razorpay, paypal, stripe] = gateways.split(",").map(played) as [PlayedProvider, PlayedProvider, PlayedProvider];

/** Returns a state of a payment at a chosen provider. */
const providerState = (name: string, provider: PlayedProvider, act: (page: Page) => Promise<unknown>): State => ({
  name,
  needs: "scripts",
  open: async ({ page, person }) => {
    await person.at("enrolled", "MGROW500");
    await choose(page, provider);
    await act(page);
  },
});
const alert = (page: Page, message: string) => expect(page.getByRole("alert")).toHaveText(message);
const declined = async (page: Page) => {
  await paypal.decline(page);
  await expectOutcome(page, "failed");
};

export const providerStates: readonly State[] = [
  {
    name: "pay, several ways",
    open: async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await page.goto("/pay");
      await expect(page.getByRole("radio")).toHaveCount(3);
    },
  },
  providerState("pay, several ways, one declined", paypal, async (page) => {
    await declined(page);
    await page.getByRole("link", { name: "Another method" }).click();
    await expect(page.getByRole("radio", { checked: true })).toHaveValue(razorpay.gateway);
  }),
  providerState("checkout, window closed", razorpay, async (page) => {
    await razorpay.close?.(page);
    await alert(page, closed);
  }),
  providerState("checkout, in dollars", paypal, paypal.opened),
  providerState("checkout, card", stripe, stripe.opened),
  providerState("checkout, card declined", stripe, async (page) => {
    await stripe.decline(page);
    await alert(page, "Your card was declined.");
  }),
  {
    name: "checkout, window, no scripts",
    needs: "no scripts",
    open: async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await choose(page, razorpay);
      await expect(page.getByRole("button", { name: razorpay.plain ?? "" })).toBeVisible();
    },
  },
  providerState("success, failed, several ways", paypal, declined),
  applied("fee, several ways", "agreed", async (page) => {
    await page.goto("/hiresure/payment");
    await expect(page.getByRole("radio")).toHaveCount(2); // PayPal is left out: the fee has no price in dollars
  }),
];
