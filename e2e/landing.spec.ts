// What moves on the landing page, and what a keyboard does there.
import type { Locator } from "@playwright/test";
import { landing } from "./enrolment.ts";
import { expect, test } from "./test.ts";

test.describe("rotations", () => {
  test("turn every 3 s, and stand still after Pause, under the pointer and with the focus", async ({ page }) => {
    await page.clock.install();
    await page.goto(landing);
    for (const place of await page.locator("[data-rotate]").all()) {
      const active = place.locator("[data-place=active]");
      if ((await place.locator(".dot").count()) === 0) continue; // the ticker turns alike
      await page.mouse.move(0, 0);
      const first = await active.textContent();
      await page.clock.runFor(3100);
      await expect(active).not.toHaveText(first ?? "");
      const pause = place.getByRole("button", { name: "Pause" });
      await pause.click();
      await page.mouse.move(0, 0);
      await expect(pause).toHaveAttribute("aria-pressed", "true");
      const still = (await active.textContent()) ?? "";
      await page.clock.runFor(60_000);
      await expect(active).toHaveText(still);
      await place.locator(".dot").first().click(); // a dot jumps to its card
      await expect(place.locator(".dot").first()).toHaveAttribute("aria-current", "true");
      await pause.click();
      await pause.blur();
      await place.hover();
      const hovered = (await active.textContent()) ?? "";
      await page.clock.runFor(10_000);
      await expect(active).toHaveText(hovered);
    }
  });

  test("wrap around", async ({ page }) => {
    await page.clock.install();
    await page.goto(landing);
    const voices = page.locator("#testimonial");
    const active = voices.locator("[data-place=active]");
    const first = (await active.textContent()) ?? "";
    await expect(voices.locator("[data-place=prev]")).toHaveCount(1);
    await expect(voices.locator("[data-place=next]")).toHaveCount(1);
    await page.clock.runFor(4 * 3000 + 500);
    await expect(active).toHaveText(first);
  });

  test("do not begin where a person wants no motion", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.clock.install();
    await page.goto(landing);
    const places = await page.locator("[data-rotate]").all();
    expect(places.length).toBe(3);
    const all = async () => Promise.all(places.map((place) => place.locator("[data-place=active]").allTextContents()));
    const before = await all();
    await page.clock.runFor(60_000);
    expect(await all()).toEqual(before);
    for (const place of places)
      await expect(place.getByRole("button", { name: "Pause" })).toHaveAttribute("aria-pressed", "true");
  });
});

test("the menu of a small screen opens and closes by keyboard, and closes on a choice", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(landing);
  const menu = page.getByRole("navigation", { name: "Main" });
  const open = page.getByRole("button", { name: "Menu" });
  await expect(menu).toBeHidden();
  await open.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(open).toBeFocused();
  await page.keyboard.press("Space");
  await menu.getByRole("button", { name: "Close" }).press("Enter");
  await expect(menu).toBeHidden();
  await open.click();
  await menu.getByRole("link", { name: "How it works" }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/#how-it-works$/);
  await expect(page.locator("#how-it-works")).toBeInViewport();
});

test("a section stands 80 px below the top when one jumps to it", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  for (const id of ["how-it-works", "courses", "program", "testimonial", "schedule", "faq", "contact"]) {
    await page.goto(`${landing}#${id}`);
    await expect
      .poll(() => page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().top)), id)
      .toBe(80);
  }
});

test("one answer of the FAQ is open at a time, by keyboard too", async ({ page }) => {
  await page.goto(landing);
  const items = page.locator("#faq details");
  await expect(items).toHaveCount(9);
  await expect(items.first()).toHaveAttribute("open");
  await items.nth(3).locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(items.nth(3)).toHaveAttribute("open");
  await expect(items.first()).not.toHaveAttribute("open");
  await page.keyboard.press("Enter");
  await expect(page.locator("#faq details[open]")).toHaveCount(0);
});

test("a strip of cards is reached and moved by keyboard", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(landing);
  const strip = page.locator("#how-it-works ol");
  await strip.focus();
  await expect(strip).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => strip.evaluate((list) => list.scrollLeft)).toBeGreaterThan(0);
});

test("Apply Now leads to the form on the page", async ({ page }) => {
  await page.goto(landing);
  await page.getByRole("link", { name: "Apply Now", exact: true }).first().click();
  await expect(page).toHaveURL(/#enrol$/);
  await expect(page.getByRole("form", { name: "Enrolment" })).toBeInViewport();
});

test("the skip link leads over the bar", async ({ page }) => {
  await page.goto(landing);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the list of countries does not lie under the bar at the foot of a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  await page.locator("#contact").getByLabel("Full name").focus();
  const country = page.getByRole("combobox", { name: "Country" });
  await expect(country).toHaveValue("India (+91)");
  await country.evaluate((input) => scrollBy(0, input.getBoundingClientRect().top - 550)); // low on the screen
  await country.click();
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
  const list = page.locator("#contact").getByRole("listbox");
  const listEnd = async () => (await top(list)) + (await list.evaluate(({ clientHeight }) => clientHeight));
  const bar = await top(page.locator(".sticky-bar"));
  expect(bar).toBeGreaterThan(600);
  await expect.poll(listEnd).toBeLessThanOrEqual(bar);
});
