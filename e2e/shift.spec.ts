// The landing page does not shift, in any order of its files' arrival. When a font arrives late, a line or two of its text may move, if
// the device has one of the fonts that take as much room (static/css/_fonts.css).
import type { Page } from "@playwright/test";
import { landing } from "./enrolment.ts";
import { hasFallback } from "./fonts.ts";
import { expect, test } from "./test.ts";

test.skip(!hasFallback, "no font that takes as much room as ours");

/** Exceeds the sum of shifts of a page whose fonts arrive late: moved share of the window × distance. 0.1 is good for search engines. */
const hardly = 0.005;

const painted = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, null, { polling: 20 });
const lettered = (page: Page) =>
  Promise.all([
    ...[/\/eczar-/, /\/figtree-/].map((font) => page.waitForEvent("requestfinished", (file) => font.test(file.url()))),
    page.locator("main link[rel=stylesheet]").waitFor({ state: "attached" }), // the parser waits for this style sheet
  ]);

/** Files that arrive late, and the event that releases them. First styles are never late, because nothing is painted without. */
const orders = [
  { late: "nothing", after: painted },
  { late: "fonts", files: /\.woff2$/, after: painted },
  { late: "scripts", files: /\.js$/, after: painted },
  { late: "pictures", files: /\/static\/images\//, after: painted },
  { late: "styles", files: /\.css$/, after: lettered },
];

for (const { late, files, after } of orders)
  test(`no layout shift while the landing page loads and scrolls; late: ${late}`, async ({ page }) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { held, release } = await hold(page, files);
      const ready = after(page);
      await page.goto(landing, { waitUntil: "commit" });
      await ready;
      if (files) await expect.poll(() => held.length, "files held back").toBeGreaterThan(0);
      release();
      await page.waitForLoadState("networkidle");
      await page.evaluate(() => document.querySelector("footer")?.scrollIntoView({ behavior: "instant" }));
      await expect(page.getByRole("contentinfo")).toBeInViewport();
      const found = await shifts(page);
      expect(sum(found), `${width} px: ${found.join("\n")}`).toBeLessThan(hardly);
      await page.unrouteAll();
    }
  });

for (const [width, clip] of [
  [360, { x: 0, y: 0, width: 360, height: 640 }],
  [768, { x: 0, y: 0, width: 768, height: 640 }],
  [1280, { x: 0, y: 0, width: 690, height: 800 }], // next to the form
] as const)
  test(`the first screen is complete before later styles load, at ${width} px`, async ({ page }, info) => {
    await page.setViewportSize({ width, height: 900 });
    const { held, release } = await hold(page, /\/site-.*\.css$/);
    const ready = painted(page);
    await page.goto(landing, { waitUntil: "commit" });
    await ready;
    await page.evaluate(async () => {
      await document.fonts.ready;
      const seen = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
      await Promise.all(seen.map((image) => image.decode()));
    });
    const before = await page.screenshot({ clip, animations: "disabled" });
    await expect.poll(() => held).toHaveLength(1);
    release();
    await page.waitForLoadState("networkidle");
    const after = await page.screenshot({ clip, animations: "disabled" });
    if (!before.equals(after))
      for (const [name, body] of Object.entries({ before, after }))
        await info.attach(name, { body, contentType: "image/png" });
    expect(before.equals(after)).toBe(true);
  });

for (const address of [landing, `${landing}/courses/data-analytics`])
  for (const width of [360, 1280])
    test(`a first visit over 1.6 Mbit/s has the page's fonts, and hardly moves, at ${width} px: ${address}${width === 360 ? "" : " @long"}`, async ({
      browser,
      site,
    }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 } });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send("Network.enable");
      const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }; // ms, bytes a second
      await devtools.send("Network.emulateNetworkConditions", line);
      await page.goto(site.url + address, { waitUntil: "networkidle" });
      await devtools.send("DOM.enable");
      await devtools.send("CSS.enable");
      const { root } = await devtools.send("DOM.getDocument");
      for (const [selector, family] of [
        ["main .lede", "Figtree"],
        ["main h2", "Eczar"],
      ] as const) {
        const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector });
        const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
        expect(fonts.map(({ familyName, isCustomFont }) => isCustomFont && familyName.split(" ")[0])).toEqual([family]);
      }
      const found = await shifts(page);
      expect(sum(found), found.join("\n")).toBeLessThan(hardly);
      await context.close();
    });

/** Delays files until released. */
async function hold(page: Page, files: RegExp | undefined) {
  const held: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  if (files)
    await page.route(files, async (route) => {
      held.push(new URL(route.request().url()).pathname);
      await released;
      await route.continue();
    });
  return { held, release };
}

/** Returns the sum of the sizes that shifts returns. */
const sum = (found: string[]) => found.reduce((all, shift) => all + Number.parseFloat(shift), 0);

interface Shift extends PerformanceEntry {
  value: number; // moved share of the window × distance
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Describes every shift since the request: time, size, and what moved from where to where. */
async function shifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const name = (node: Node | null) =>
          node instanceof Element
            ? `${node.localName}.${node.className}`
            : `"${node?.textContent?.trim().slice(0, 30)}"`;
        const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
        const found: string[] = [];
        new PerformanceObserver((list) => {
          for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
            if (hadRecentInput) continue;
            const moved = sources.map(
              (of) => `${name(of.node)} from ${box(of.previousRect)} to ${box(of.currentRect)}`,
            );
            found.push(`${value.toFixed(4)} after ${Math.round(startTime)} ms: ${moved.join(", ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(found)));
      }),
  );
}
