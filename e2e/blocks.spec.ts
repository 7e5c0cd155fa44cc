// Skipping blocks that were judged before must not hide a fault in a block that only looks the same.
import { expect, type Page, test } from "@playwright/test";
import { emptyJudged } from "./blocks.ts";
import { violations } from "./judges.ts";
import { tooWide } from "./measure.ts";

const show = (page: Page, { text = "Seats are free.", kind = "facts", of = "page", more = "" }) =>
  page.setContent(
    `<!doctype html><html lang="en"><title>Exam</title>
    <main class="${of}"><h1>Exam</h1><section class="${kind}"><h2>Seats</h2><p>${text}</p>${more}</section></main>`,
  );

for (const [name, second, shown] of [
  ["the same", {}, false],
  ["another text", { text: "Seats are full." }, true],
  ["another class", { kind: "facts is-late" }, true],
  ["another place", { of: "page is-late" }, true],
  ["an attribute", { more: '<img alt="" src="data:,">' }, true],
  ["a field, which shows more than its HTML says", { more: "<input>" }, true],
] as const)
  test(`a block that was judged is emptied unless a later state differs: ${name}`, async ({ page }) => {
    await show(page, {});
    const judged = new Set(await emptyJudged(page, new Set()));
    expect(judged.size).toBe(1);
    await show(page, second);
    await emptyJudged(page, judged);
    await expect(page.getByRole("heading", { name: "Exam" })).toBeVisible();
    await expect(page.getByText("Seats are")).toHaveCount(shown ? 1 : 0);
  });

test("a fault that a text alone causes is found in a block that is known otherwise", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await show(page, {});
  const judged = new Set(await emptyJudged(page, new Set()));
  await show(page, { text: "a".repeat(80) });
  await emptyJudged(page, judged);
  expect(await tooWide(page)).not.toEqual([]);
});

test("a fault of colours is found in a state after the block around it was judged", async ({ page }) => {
  const contrast = () => violations(page, { type: "rule", values: ["color-contrast"] });
  await show(page, {});
  const judged = new Set(await emptyJudged(page, new Set()));
  expect(await contrast()).toEqual([]);
  await show(page, { more: '<p style="color: #bbb">Until Monday</p>' });
  await emptyJudged(page, judged);
  expect(JSON.stringify(await contrast())).toContain("Until Monday");
});
