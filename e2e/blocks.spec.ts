// Skipping blocks that were judged before must not hide a fault in a block that only looks the same.
import { expect, type Page, test } from "@playwright/test";
import { emptyMarked, Judged, markJudged, shapes } from "./blocks.ts";
import { violations } from "./judges.ts";
import { tooWide } from "./measure.ts";

const show = (page: Page, { text = "Seats are free.", kind = "facts", of = "page", more = "" }) =>
  page.setContent(
    `<!doctype html><html lang="en"><title>Exam</title>
    <main class="${of}"><h1>Exam</h1><section class="${kind}"><h2>Seats</h2><p>${text}</p>${more}</section></main>`,
  );

/** What `show` was judged for in an earlier state. */
async function judged(page: Page): Promise<Judged> {
  const file = new Judged(test.info().outputPath("judged"));
  await show(page, {});
  const blocks = await markJudged(page, file);
  expect(blocks).toHaveLength(1);
  file.add([...(await shapes(page)), ...blocks]);
  return file;
}

/** Shows what a later state has, without what was judged. */
async function later(page: Page, before: Judged, second: Parameters<typeof show>[1]) {
  await show(page, second);
  await markJudged(page, before);
  await emptyMarked(page);
}

for (const [name, second, shown] of [
  ["the same", {}, false],
  ["another text", { text: "Seats are full." }, true],
  ["another class", { kind: "facts is-late" }, true],
  ["another place", { of: "page is-late" }, true],
  ["an attribute", { more: '<img alt="" src="data:,">' }, true],
  ["a field, which shows more than its HTML says", { more: "<input>" }, true],
] as const)
  test(`a block that was judged is emptied unless a later state differs: ${name}`, async ({ page }) => {
    await later(page, await judged(page), second);
    await expect(page.getByRole("heading", { name: "Exam" })).toBeVisible();
    await expect(page.getByText("Seats are")).toHaveCount(shown ? 1 : 0);
  });

for (const more of ["<input>", "<select></select>", "<textarea></textarea>", "<button>Pay</button>"])
  test(`a block with ${more} is judged each time`, async ({ page }) => {
    await show(page, { more });
    await page.locator("section > :last-child").focus();
    expect(await markJudged(page, new Judged(test.info().outputPath("judged")))).toEqual([]);
  });

test("a fault that a text alone causes is found in a block that is known otherwise", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await later(page, await judged(page), { text: "a".repeat(80) });
  expect(await tooWide(page)).not.toEqual([]);
});

test("a fault of colours is found in a state after the block around it was judged", async ({ page }) => {
  const contrast = () => violations(page, { type: "rule", values: ["color-contrast"] });
  const before = await judged(page);
  await show(page, { more: '<p style="color: #bbb">Until Monday</p>' });
  await markJudged(page, before);
  expect(JSON.stringify(await contrast())).toContain("Until Monday");
  await show(page, { text: '<span style="color: #bbb">Seats</span>' });
  before.add(await markJudged(page, before));
  await markJudged(page, before);
  expect(await contrast(), "of a block that was judged").toEqual([]);
});

for (const [name, second, isNew] of [
  ["the same", {}, false],
  ["another text", { text: "Seats are full." }, false],
  ["another class", { kind: "facts is-late" }, true],
  ["another place", { of: "page is-late" }, true],
  ["another element", { more: '<img alt="" src="data:,">' }, true],
  ["a field", { more: "<input>" }, true],
  ["a hidden element", { more: "<p hidden>Seats</p>" }, true],
] as const)
  test(`a page has a new shape with ${name}: ${isNew}`, async ({ page }) => {
    const before = await judged(page);
    await show(page, second);
    expect(before.has(await shapes(page)).includes(false)).toBe(isNew);
  });
