// The payment providers that a site plays, as their payers meet them.
import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";
import { test as base } from "./test.ts";

type Deed = (page: Page) => Promise<void>;

export interface PlayedProvider {
  gateway: string;
  /** What one pays with, on the page to choose. */
  label: string;
  /** Whether it is paid on a page of the provider's, and not on ours. */
  elsewhere: boolean;
  /** Whether its checkout needs a script of the provider's. */
  script: boolean;
  /** The button of its form where no script runs; without one it can not be paid then. */
  plain?: string;
  /** Waits until it can be paid. */
  opened: Deed;
  pay: Deed;
  decline: Deed;
  /** Leaves its window or page without paying; absent where there is neither. */
  close?: Deed;
  /** What our page says of a card that is declined, where another one can be tried at once. */
  refused?: string;
  /** Where the payer's bank asks who pays. */
  bank?: Bank;
}

/** A bank that asks who pays: what comes to it, and what can be done there. */
interface Bank {
  ask: Deed;
  confirm: Deed;
  refuse: Deed;
  /** Whether it asks on a page of its own. */
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

/** Leads through deeds, one after the other. */
const all =
  (...deeds: Deed[]): Deed =>
  async (page) => {
    for (const deed of deeds) await deed(page);
  };

/** Chooses a card in the fields of a provider, and presses our button. */
const withCard =
  (card: string, within: (page: Page) => Page | FrameLocator): Deed =>
  async (page) => {
    await within(page).getByRole("combobox").selectOption(card);
    await button(/^Pay ₹/)(page);
  };
const stripes = (card: string) => withCard(card, (page) => page);
const twocheckouts = (card: string) => withCard(card, (page) => page.frameLocator('iframe[title="Card"]'));
const paypals = (press: string) => all(button("Pay with PayPal"), button(press, dialog));

/** A line each. */
export const providers: readonly PlayedProvider[] = [
  {
    gateway: "razorpay",
    label: "UPI or net banking",
    elsewhere: false,
    script: true,
    plain: "Pay ₹999",
    opened: sees("Pay", razorpays),
    pay: button("Pay", razorpays),
    decline: all(button("Decline", razorpays), button("Close", razorpays)), // where one may try once more
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

/** What our page says of a window that was closed before anything was paid. */
export const closed = "If you have approved the payment in your app, do not pay again.";

/** Tests at a site that plays the providers. */
export const test = base.extend({
  gateways: [[...providers.map(({ gateway }) => gateway), "sandbox"].join(), { scope: "worker" }],
});

/** Chooses a provider on the page to pay, and comes to its checkout. */
export async function choose(page: Page, { gateway, label }: PlayedProvider) {
  await page.goto("/pay");
  await chooseHere(page, gateway, label);
}

/** Chooses a provider where the ways to pay stand. */
export async function chooseHere(page: Page, gateway: string, label: string) {
  const way = page.locator(`input[name=gateway][value=${gateway}]`);
  await expect(page.locator("label").filter({ has: way })).toContainText(label);
  await way.check();
  await page.getByRole("button", { name: /^(Pay|Try again|Continue to pay)/ }).click();
}

/** The choice as somebody meets it who has begun nothing yet. */
export async function expectChoice(page: Page) {
  await expect(page).toHaveURL(/\/pay(#|$)/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One step is left: pay ₹999");
  await expect(page.getByRole("radio", { checked: true })).toHaveValue("razorpay");
  await expect(page.locator(".way").filter({ hasText: "PayPal" })).toContainText("$12.66");
  await expect(page.locator(".way").filter({ hasText: "Card, any country" })).toContainText("₹999");
  const pays = (sum: string) => expect(page.getByRole("button", { name: `Pay ${sum}`, exact: true })).toBeVisible();
  await pays("₹999");
  await page.getByRole("radio", { name: "PayPal" }).check();
  await pays("$12.66");
  await page.getByRole("radio").first().check();
}

/** Keeps the browser from coming back to us. */
export async function cutReturns(page: Page) {
  await page.route(/\/checkout\/[^/]+\/return/, (route) => route.abort());
}

/**
 * Waits for mails, each known by how its subject begins, and expects no others: but for one that says that a try did not go
 * through, which comes where a webhook is faster than the browser.
 */
export async function expectMails(person: Person, ...subjects: string[]) {
  for (const subject of subjects) await person.mail(subject);
  const came = (await person.mails()).filter(({ channel }) => channel === "email").map(({ subject }) => subject);
  const others = came.filter((subject) => !subject.startsWith("Your payment did not go through"));
  expect(came.length - others.length).toBeLessThanOrEqual(1);
  expect(others).toHaveLength(subjects.length);
}
