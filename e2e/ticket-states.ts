// The page behind a ticket's QR code in all states.
import { expect } from "@playwright/test";
import type { State } from "./states.ts";

export const ticketStates: State[] = [
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
