// The payment providers that a site plays, as their payers meet them. Each one's stand-in has the buttons Pay, Decline and Close.
import { expect, type Page } from "@playwright/test";
import { startSite } from "./site.ts";
import { test as base } from "./test.ts";

export interface PlayedProvider {
  gateway: string;
  /** What one pays with, on the page to choose. */
  label: string;
  /** Whether it is paid on a page of the provider's, and not on ours. */
  elsewhere: boolean;
  /** The frame of its window over our page. */
  frame?: string;
  /** Whether it can be paid without scripts. */
  plain: boolean;
}

/** A line each. */
export const providers: readonly PlayedProvider[] = [
  { gateway: "cashfree", label: "UPI, card or net banking", elsewhere: true, plain: false },
  {
    gateway: "razorpay",
    label: "UPI, card, net banking or wallet",
    elsewhere: false,
    frame: ".razorpay-container iframe",
    plain: true,
  },
];

/** Tests at a site that plays the providers. */
export const test = base.extend({
  site: [
    async ({ database }, use) => {
      const site = await startSite(database, {}, ["serve", "--simulators"]);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  faults: async ({ faults }, use) => {
    faults.allow(/^request to http:\/\/127\.0\.0\.1:/); // the simulators'
    await use(faults);
  },
});

/** Chooses a provider on the page to pay, and comes to its checkout. */
export async function choose(page: Page, { gateway, label }: PlayedProvider) {
  await page.goto("/pay");
  const way = page.locator(`input[name=gateway][value=${gateway}]`);
  await expect(page.locator("label").filter({ has: way })).toContainText(label);
  await way.check();
  await page.getByRole("button", { name: /^(Pay ₹|Try again|Continue to pay)/ }).click();
}

/** Presses a button of the provider's, in its window or on its page. */
export async function press(page: Page, { frame }: { frame?: string }, button: "Pay" | "Decline" | "Close") {
  await (frame ? page.frameLocator(frame) : page).getByRole("button", { name: button, exact: true }).click();
}
