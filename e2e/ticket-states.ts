// A ticket in all states: the page behind its QR code, and the home of a verified phone without an account.
import { expect } from "@playwright/test";
import { SignIn } from "./signin.ts";
import type { State } from "./states.ts";
import type { Visitor } from "./test.ts";

const mine = (name: string, deeds: (visitor: Visitor) => Promise<unknown>, heading: string): State => ({
  name: `my ticket${name}`,
  open: async (visitor) => {
    await deeds(visitor);
    await visitor.page.goto("/hiresure");
    await expect(visitor.page.getByRole("heading", { level: 1 })).toHaveText(heading);
  },
});

export const ticketStates: State[] = [
  mine("", ({ person }) => person.at("paid", "MGROW500"), "You are enrolled, Asha"),
  {
    ...mine(", pending", ({ person }) => person.at("pending", "MGROW500"), "Waiting for your bank, Asha"),
    refreshes: true,
  },
  mine(
    ", refunded",
    async ({ person }) => {
      await person.at("paid", "MGROW500");
      await person.refundAtProvider();
    },
    "Refund sent, Asha",
  ),
  mine(
    ", none",
    async ({ page, person, enrolment }) => {
      const at = new SignIn(page, person, enrolment.scripts);
      await at.open("/account/sign-in");
      await at.askFor(person.phone);
      await at.give(await person.code());
      await expect(page).toHaveURL("/hiresure");
    },
    "No ticket for this number",
  ),
  {
    name: "ticket",
    open: async ({ page, person }) => {
      await person.at("paid");
      await page.goto(await person.ticket());
    },
  },
  {
    name: "ticket, by its code",
    open: async ({ page, person }) => {
      await person.at("paid");
      const ticket = await person.ticket();
      await page.context().clearCookies();
      await page.goto(ticket);
      await expect(page.getByText("If it is yours")).toBeVisible();
    },
  },
  {
    name: "ticket, refunded",
    open: async ({ page, person }) => {
      await person.at("paid");
      const ticket = await person.ticket();
      await person.refundAtProvider();
      await page.goto(ticket);
      await expect(page.getByText("No longer valid", { exact: true })).toBeVisible();
    },
  },
];
