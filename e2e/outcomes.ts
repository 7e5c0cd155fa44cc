// A payment's outcome as pages show it: the heading, and the end of the text of spec §2 except for "checked".
import { expect, type Page } from "@playwright/test";

const texts = {
  paid: [
    /^(You are enrolled|Your payment has arrived|Congratulations! Your registration has been successfully submitted\.)$/,
    "Our team will get in touch with you soon for the next steps.",
  ],
  pending: [
    /^(Do not pay again|Transaction in pending!)$/,
    "Your transaction is in processing due to some technical issue. Any amount deducted will be refunded in 3-4 business days.",
  ],
  checked: ["Your payment is being checked", "We e-mail you either way, and keep your place."],
  failed: [
    /^(Your payment did not go through|Transaction failed!)$/,
    "Your transaction could not be processed due to some technical issue. Any amount deducted will be refunded in 3-4 business days.",
  ],
} as const;

export async function expectOutcome(page: Page, outcome: keyof typeof texts) {
  const [title, text] = texts[outcome];
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByText(text)).toBeVisible();
}

/** The sandbox's button to pay, which names the amount. */
export const payButton = /^Pay ₹/;

/** Presses a button of the sandbox's checkout at /checkout/{txn}. */
export async function answer(page: Page, button: string | RegExp) {
  const target = page.getByRole("button", { name: button, exact: true });
  await expect(page).toHaveURL(/\/checkout\//);
  if (!(await target.isVisible())) await page.getByText("More outcomes").click();
  await target.click();
}

/** Reloads the page until it shows the payment's outcome. */
export async function reloadUntil(page: Page, outcome: keyof typeof texts, timeout: number) {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts[outcome][0], { timeout: 1000 });
  }).toPass({ timeout });
}
