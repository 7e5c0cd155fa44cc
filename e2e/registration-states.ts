// A person's registrations in all states.
import { expect, type Page } from "@playwright/test";
import { campus, type Person } from "./person.ts";
import type { State } from "./states.ts";

/** Actions of a signed-in person before the page is opened. */
type Deeds = (person: Person) => Promise<unknown>;

const own = (name: string, deeds: Deeds, look: (page: Page, person: Person) => Promise<unknown>): State => ({
  name,
  open: async ({ page, person }) => {
    await person.at("signed up");
    await deeds(person);
    await look(page, person);
  },
});

const list = async (page: Page) => {
  await page.goto("/hiresure/registration");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
};
const home = (page: Page) => page.goto("/hiresure");
const detail = async (page: Page, person: Person) => {
  await page.goto(`/hiresure/registration/${person.registration}`);
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toBeVisible();
};

const nothing: Deeds = async () => {};
const enrolled: Deeds = (person) => person.at("enrolled", "MGROW500");
const open: Deeds = (person) => person.at("checkout", "MGROW500");
const failed: Deeds = (person) => person.at("failed");
const paid: Deeds = (person) => person.at("paid", "MGROW500");
const free: Deeds = async (person) => {
  await person.at("enrolled", "FULLSEAT");
  await person.startPayment();
};
const refunded: Deeds = async (person) => {
  await paid(person);
  await person.refundAtProvider();
};
/** Pays for one exam and fails to pay for the other. */
const both: Deeds = async (person) => {
  await paid(person);
  person.event = campus;
  await failed(person);
};
/** Refunds the first enrolment and enrols in the same exam again. */
const anew: Deeds = async (person) => {
  await refunded(person);
  await person.at("enrolled");
};

export const registrationStates: State[] = [
  own("registrations", both, list),
  own("registrations, refunded and anew", anew, list),
  own("registrations, nothing waits", paid, list),
  own("registrations, empty", nothing, list),
  own("registrations, error", paid, async (page) => {
    await page.goto("/hiresure/registration?after=forged");
    await expect(page.getByText(/^Error loading registrations: /)).toBeVisible();
  }),
  own("registration, enrolled", enrolled, detail),
  own("registration, open", open, detail),
  own("registration, failed", failed, detail),
  own("registration, paid", paid, detail),
  own("registration, free", free, detail),
  own("registration, refunded", refunded, detail),
  own("registration, folded out", paid, async (page, person) => {
    await detail(page, person);
    const fold = page.locator("summary", { hasText: "Personal Information" });
    if (await fold.evaluate((it) => getComputedStyle(it).pointerEvents !== "none")) await fold.click();
    await expect(page.getByText(person.email)).toBeVisible();
  }),
  own("registration, no data", nothing, async (page) => {
    await page.goto(`/hiresure/registration/${"0".repeat(32)}`);
    await expect(page.getByText("No data found for this registration.")).toBeVisible();
  }),
  own("home, signed in", nothing, home),
  own("home, menu", nothing, async (page) => {
    await home(page);
    await page.locator("summary", { has: page.locator(".avatar") }).click();
    await expect(page.getByRole("link", { name: "My Registrations" })).toBeVisible();
  }),
  own("home, enrolled", enrolled, home),
  own("home, failed", failed, home),
  own("home, paid", paid, home),
  own("home, paid and another failed", both, home),
  own("home, refunded", refunded, home),
];
