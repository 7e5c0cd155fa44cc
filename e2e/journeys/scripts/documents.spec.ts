// What only scripts do for documents: what has arrived is never sent again.
import type { Page } from "@playwright/test";
import { chooses, pdf, row, slows } from "../../document-states.ts";
import { agreed, pays } from "../../fee-states.ts";
import { type Line, lineTo } from "../../line.ts";
import type { Person } from "../../person.ts";
import { expect, test } from "../../test.ts";

const upload = "/hiresure/upload-doc";
const marks = pdf("marks.pdf", 400);

async function opens(page: Page, person: Person, site = "") {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(site + upload);
}

/** Sends half of a file, slowly, and cuts the line. */
async function half(page: Page, line: Line, file: typeof marks) {
  const slow = await slows(page, 60_000);
  await chooses(page, "Last Academic Marksheet", file, true);
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(/^[2-6][0-9]%$/, { timeout: 20_000 });
  line.cut();
  await expect(row(page, "Marksheet")).toContainText("Connection lost at");
  await slow.ends();
}

/** Where the pieces that leave begin. */
function pieces(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  return offsets;
}

const cutOff = /net::ERR_|request to http:\/\/127/; // the line has an address of its own

test("a lost connection goes on where it stopped", async ({ page, person, site, faults }) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  const offsets = pieces(page);
  await half(page, line, marks);
  line.mend();
  await expect(row(page, "Marksheet")).toContainText("Arrived", { timeout: 20_000 });
  await expect(row(page, "Marksheet")).toContainText("marks.pdf");
  expect(offsets[0]).toBe(0);
  expect(offsets.at(-1)).toBeGreaterThan(0);
  line.close();
});

test("a tab that was closed goes on with the same file, and never with another", async ({
  page,
  person,
  site,
  context,
  faults,
}) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  await half(page, line, marks);
  await page.close();
  line.mend();
  const later = await context.newPage();
  const offsets = pieces(later);
  await later.goto(line.url + upload);
  await expect(row(later, "Marksheet")).toContainText("Choose the same file, and it goes on");
  await chooses(later, "Last Academic Marksheet", marks, true);
  await expect(row(later, "Marksheet")).toContainText("Arrived");
  expect(offsets.length).toBeGreaterThan(0);
  expect(offsets).not.toContain(0);

  await half(later, line, pdf("one.pdf", 400));
  line.mend();
  await later.reload();
  await expect(row(later, "Marksheet")).toContainText("one.pdf");
  offsets.length = 0;
  await chooses(later, "Last Academic Marksheet", pdf("two.pdf", 300), true);
  await expect(row(later, "Marksheet")).toContainText("two.pdf, ");
  await expect(row(later, "Marksheet")).toContainText("Arrived");
  expect(offsets).toEqual([0]);
  line.close();
});

test("two are sent at once, and one that is stopped leaves nothing", async ({ page, person }) => {
  await opens(page, person);
  const slow = await slows(page, 60_000);
  await chooses(page, "Last Academic Marksheet", marks, true);
  await chooses(page, "Family Income Certificate", pdf("income.pdf", 400), true);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two are on their way");
  await row(page, "Marksheet").getByRole("button", { name: "Stop" }).click();
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
  await slow.ends();
  await expect(row(page, "Income")).toContainText("Arrived");
  await page.reload();
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
});
