// Simulated payment providers from a payer's view.
import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";
import { test as base } from "./test.ts";

type Deed = (page: Page) => Promise<void>;

export interface PlayedProvider {
  gateway: string;
  /** Label of the payment method. */
  label: string;
  /** Whether payers pay on the provider's page instead of ours. */
  elsewhere: boolean;
  /** Whether the checkout needs the provider's script. */
  script: boolean;
  /** Button of the form without scripts; absent if paying needs scripts. */
  plain?: string;
  /** Waits until the payer can pay. */
  opened: Deed;
  pay: Deed;
  decline: Deed;
  /** Leaves the provider's window or page without paying; absent if there is neither. */
  close?: Deed;
  /** Our message for a declined card, if the payer can try another at once. */
  refused?: string;
  /** The payer's bank, if it authenticates. */
  bank?: Bank;
}

/** Authentication by the payer's bank: how to get there, and the payer's choices. */
interface Bank {
  ask: Deed;
  confirm: Deed;
  refuse: Deed;
  /** Whether the bank has a page of its own. */
  elsewhere: boolean;
}

const button =
  (name: string | RegExp, within: (page: Page) => Page | FrameLocator | Locator = (page) => page): Deed =>
  (page) =>
    within(page).getByRole("button", { name, exact: true }).click();
const sees =
  (name: string | RegExp, within: (page: Page) => Page | FrameLocator = (page) => page): Deed =>
  (page) =>
    expect(within(page).getByRole("button", { name, exact: true })).toBeVisible();
const razorpays = (page: Page) => page.frameLocator(".razorpay-container iframe");
const dialog = (page: Page) => page.getByRole("dialog");

/** Performs actions in order. */
const all =
  (...deeds: Deed[]): Deed =>
  async (page) => {
    for (const deed of deeds) await deed(page);
  };

/** Enters a card in the provider's fields and presses our button. */
const withCard =
  (card: string, within: (page: Page) => Page | FrameLocator): Deed =>
  async (page) => {
    await within(page).getByRole("combobox").selectOption(card);
    await button(/^Pay ₹/)(page);
  };
const stripes = (card: string) => withCard(card, (page) => page);
const twocheckouts = (card: string) => withCard(card, (page) => page.frameLocator('iframe[title="Card"]'));
const paypals = (press: string) => all(button("Pay with PayPal"), button(press, dialog));

export const providers: readonly PlayedProvider[] = [
  {
    gateway: "razorpay",
    label: "UPI or net banking",
    elsewhere: false,
    script: true,
    plain: "Pay ₹999",
    opened: sees("Pay", razorpays),
    pay: button("Pay", razorpays),
    decline: all(button("Decline", razorpays), button("Close", razorpays)), // the payer may try again in the window
    close: button("Close", razorpays),
  },
  {
    gateway: "paypal",
    label: "PayPal",
    elsewhere: false,
    script: true,
    opened: sees("Pay with PayPal"),
    pay: paypals("Pay"),
    decline: paypals("Decline"),
    close: paypals("Close"),
  },
  {
    gateway: "cashfree",
    label: "UPI or net banking",
    elsewhere: true,
    script: true,
    opened: sees("Pay"),
    pay: button("Pay"),
    decline: button("Decline"),
    close: button("Close"),
  },
  {
    gateway: "payu",
    label: "UPI or net banking",
    elsewhere: true,
    script: false,
    plain: "Go to the payment page",
    opened: sees("Pay"),
    pay: button("Pay"),
    decline: button("Decline"),
    close: button("Cancel"),
  },
  {
    gateway: "stripe",
    label: "Card, any country",
    elsewhere: false,
    script: true,
    opened: sees(/^Pay ₹/),
    pay: stripes("A card that pays"),
    decline: stripes("A card that is declined"),
    refused: "Your card was declined.",
    bank: {
      ask: stripes("A card whose bank asks who pays"),
      confirm: button("It is me", dialog),
      refuse: button("Decline", dialog),
      elsewhere: false,
    },
  },
  {
    gateway: "twocheckout",
    label: "Card",
    elsewhere: false,
    script: true,
    opened: sees(/^Pay ₹/),
    pay: twocheckouts("Pays"),
    decline: twocheckouts("Is declined"),
    bank: {
      ask: all(twocheckouts("Asks the bank"), sees("Confirm")),
      confirm: button("Confirm"),
      refuse: button("Refuse"),
      elsewhere: true,
    },
  },
];

export function played(gateway: string): PlayedProvider {
  const found = providers.find((provider) => provider.gateway === gateway);
  if (!found) throw new Error(`no provider ${gateway} is played`);
  return found;
}

/** Our message after a window was closed without a payment. */
export const closed = "If you have approved the payment in your app, do not pay again.";

/** Tests with a site that uses the simulators. */
export const test = base.extend({
  gateways: [[...providers.map(({ gateway }) => gateway), "sandbox"].join(), { scope: "worker" }],
});

/** Opens /pay, chooses a provider and opens its checkout. */
export async function choose(page: Page, { gateway, label }: PlayedProvider) {
  await page.goto("/pay");
  await chooseHere(page, gateway, label);
}

/** Chooses a provider on a page with payment methods. */
export async function chooseHere(page: Page, gateway: string, label: string) {
  const way = page.locator(`input[name=gateway][value=${gateway}]`);
  await expect(page.locator("label").filter({ has: way })).toContainText(label);
  await way.check();
  await page.getByRole("button", { name: /^(Pay|Try again|Continue to pay)/ }).click();
}

/** Expects the choice of methods before any attempt. */
export async function expectChoice(page: Page) {
  await expect(page).toHaveURL(/\/pay(#|$)/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One step is left: pay ₹999");
  await expect(page.getByRole("radio", { checked: true })).toHaveValue("razorpay");
  await expect(page.locator(".pay-method").filter({ hasText: "PayPal" })).toContainText("$12.66");
  await expect(page.locator(".pay-method").filter({ hasText: "Card, any country" })).toContainText("₹999");
  const pays = (sum: string) => expect(page.getByRole("button", { name: `Pay ${sum}`, exact: true })).toBeVisible();
  await pays("₹999");
  await page.getByRole("radio", { name: "PayPal" }).check();
  await pays("$12.66");
  await page.getByRole("radio").first().check();
}

/** Blocks the browser's return from the provider. */
export async function cutReturns(page: Page) {
  await page.route(/\/checkout\/[^/]+\/return/, (route) => route.abort());
}

/**
 * Waits for mails by the prefix of their subjects and expects no others, except one about a failed attempt, which is sent if a
 * webhook is faster than the browser.
 */
export async function expectMails(person: Person, ...subjects: string[]) {
  for (const subject of subjects) await person.mail(subject);
  const came = (await person.mails()).filter(({ channel }) => channel === "email").map(({ subject }) => subject);
  const others = came.filter((subject) => !subject.startsWith("Your payment did not go through"));
  expect(came.length - others.length).toBeLessThanOrEqual(1);
  expect(others).toHaveLength(subjects.length);
}
