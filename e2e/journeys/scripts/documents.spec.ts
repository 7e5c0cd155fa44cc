// What only scripts do for documents: what has arrived is never sent again.
import type { Page } from "@playwright/test";
import { chooses, pdf, row, slows } from "../../document-states.ts";
import { agreed, pays } from "../../fee-states.ts";
import type { Person } from "../../person.ts";
import { expect, test } from "../../test.ts";

const upload = "/hiresure/upload-doc";
const marks = pdf("marks.pdf", 400);

async function opens(page: Page, person: Person) {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
}

/** Sends half of a file, slowly. */
async function half(page: Page, file: typeof marks) {
  await slows(page, 60_000);
  await chooses(page, "Last Academic Marksheet", file, true);
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(/^[2-6][0-9]%$/, { timeout: 20_000 });
}

/** Where the pieces that leave begin. */
function pieces(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  return offsets;
}

test("a lost connection goes on where it stopped", async ({ page, person, context, faults }) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_FAILED/);
  await opens(page, person);
  const offsets = pieces(page);
  await half(page, marks);
  await context.setOffline(true);
  await expect(row(page, "Marksheet")).toContainText("Connection lost at");
  await context.setOffline(false);
  await slows(page, 0);
  await expect(row(page, "Marksheet")).not.toContainText("Connection lost", { timeout: 20_000 });
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveCount(0, { timeout: 20_000 });
  expect(offsets[0]).toBe(0);
  expect(offsets.at(-1)).toBeGreaterThan(0);
});

test("a tab that was closed goes on with the same file, and never with another", async ({ page, person, context }) => {
  await opens(page, person);
  await half(page, marks);
  await page.close();
  const later = await context.newPage();
  const offsets = pieces(later);
  await later.goto(upload);
  await expect(row(later, "Marksheet")).toContainText("Choose the same file, and it goes on");
  await chooses(later, "Last Academic Marksheet", marks, true);
  await expect(row(later, "Marksheet").locator(".document-percent")).toHaveCount(0, { timeout: 20_000 });
  expect(offsets.filter((offset) => offset === 0)).toEqual([]);

  await half(later, pdf("one.pdf", 400));
  await later.reload();
  await expect(row(later, "Marksheet")).toContainText("one.pdf");
  offsets.length = 0;
  await slows(later, 0);
  await chooses(later, "Last Academic Marksheet", pdf("two.pdf", 300), true);
  await expect(row(later, "Marksheet").locator(".document-percent")).toHaveCount(0, { timeout: 20_000 });
  expect(offsets).toEqual([0]);
});
