// My data, in every state that a person brings about.
import { expect, type Page } from "@playwright/test";
import type { State } from "./states.ts";

const myData = (name: string, act: (page: Page) => Promise<unknown> = async () => {}): State => ({
  name: `my data${name && `, ${name}`}`,
  open: async ({ page, person }) => {
    await person.at("signed up");
    await page.goto("/account/data");
    await act(page);
  },
});

/** Opens a fold, where My data has folds. */
export const unfold = async (page: Page, fold: string): Promise<void> => {
  await page.goto(`/account/data?at=${fold}`);
};

/** Has everything collected, and waits until the file is ready. */
export const collect = async (page: Page): Promise<void> => {
  await unfold(page, "file");
  await page.getByRole("button", { name: "Collect my data" }).click();
  await expect(async () => {
    await unfold(page, "file");
    await expect(page.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 500 });
  }).toPass();
};

/** Asks for the deletion, and once more. */
export const askForDeletion = async (page: Page): Promise<void> => {
  await unfold(page, "delete");
  await page.getByRole("link", { name: "Ask for deletion" }).click();
  await page.getByRole("button", { name: "Delete in seven days" }).click();
  await expect(page.getByRole("heading", { name: /^Deleted on/ })).toBeVisible();
};

/** Says yes to a purpose, or takes it back. */
export const choose = async (page: Page, button: "Allow" | "Take back", purpose: string): Promise<void> => {
  await unfold(page, "choices");
  await page.getByRole("button", { name: `${button} ${purpose}` }).click();
};

export const myDataStates: State[] = [
  myData(""),
  myData("yes and no", async (page) => {
    await choose(page, "Allow", "Reminders");
    await choose(page, "Allow", "News");
    await choose(page, "Take back", "News");
    await expect(page.getByRole("heading", { name: "One yes, three no" })).toBeVisible();
  }),
  myData("file ready", collect),
  myData("devices", (page) => unfold(page, "sessions")),
  myData("what stays", (page) => unfold(page, "delete")),
  myData("asked once more", async (page) => {
    await page.goto("/account/data/delete");
    await expect(page.getByRole("heading", { name: "Delete your account?" })).toBeVisible();
  }),
  myData("deletion asked", askForDeletion),
  myData("deletion taken back", async (page) => {
    await askForDeletion(page);
    await page.getByRole("button", { name: "Keep my account" }).click();
    await expect(page.getByRole("link", { name: "Ask for deletion" })).toBeVisible();
  }),
  myData("deletion asked, home", async (page) => {
    await askForDeletion(page);
    await page.goto("/hiresure");
    await expect(page.getByText(/^Everything we hold about you is deleted on/)).toBeVisible();
  }),
];
