// Interrupted uploads of browsers and other clients.
import type { Page } from "@playwright/test";
import { chooseFile, pdf, row, slows } from "./document-states.ts";
import { agreed, pays } from "./fee-states.ts";
import type { Line } from "./line.ts";
import type { Person } from "./person.ts";
import { expect } from "./test.ts";

export const upload = "/hiresure/upload-doc";
export const label = "Last Academic Marksheet";
export const marks = pdf("marks.pdf", 400);

/** Opens the documents page of a paid application. */
export async function opens(page: Page, person: Person, site = "") {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(site + upload);
}

/** Sends half of a file slowly, then cuts the connection. */
export async function half(page: Page, line: Line, file: typeof marks) {
  const slow = await slows(page, 60_000);
  await chooseFile(page, label, file, true);
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(/^[2-6][0-9]%$/, { timeout: 20_000 });
  line.cut();
  await expect(row(page, "Marksheet")).toContainText("Connection lost at");
  await slow.ends();
}

/** Records the offset of each piece sent. */
export function pieces(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  return offsets;
}

export const cutOff = /net::ERR_|request to http:\/\/127/; // the proxy has its own address
