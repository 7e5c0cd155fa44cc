// Time until a photo of 12 megapixels is shown on a cheap phone, and how long the page is unresponsive meanwhile.
import type { Browser } from "@playwright/test";
import { Person } from "./person.ts";
import { largePhoto } from "./photos.ts";
import { expect, test } from "./test.ts";
import { opens } from "./uploads.ts";

const slowness = 6; // CPU throttling factor

interface Preview {
  shown: number; // ms from the choice to the photo's first frame on the screen
  longest: number; // ms of the longest task
  used: number; // ms from "Use this photo" until its row is rendered
  longestUsed: number;
}

test("a photo of 12 megapixels is shown within 2 s, median of 5 @long @alone", async ({ site, browser }, info) => {
  test.setTimeout(300_000);
  const runs: Preview[] = [];
  for (let run = 0; run < 5; run++) runs.push(await preview(browser, site.url));
  const median = (name: keyof Preview) =>
    Math.round(runs.map((run) => run[name]).sort((a, b) => a - b)[2] ?? Number.NaN);
  const figures = {
    shown: median("shown"),
    longest: median("longest"),
    used: median("used"),
    longestUsed: median("longestUsed"),
  };
  console.log("Preview of 12 megapixels, processor six times slower:", figures);
  info.annotations.push({ type: "preview", description: JSON.stringify(figures) });
  expect(figures.shown).toBeLessThan(2000);
  expect(figures.longest).toBeLessThan(500); // the longest delay of a press
  expect(figures.longestUsed).toBeLessThan(500);
});

async function preview(browser: Browser, url: string): Promise<Preview> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    baseURL: url,
  });
  const page = await context.newPage();
  await opens(page, new Person(context.request));
  const photo = await largePhoto(page, "me.jpg");
  await expect(page.locator("form.is-live")).toBeVisible();
  const devtools = await context.newCDPSession(page);
  await page.evaluate(() => {
    const times = { chosen: 0, shown: 0, pressed: 0, drawn: 0, tasks: [] as [number, number][] };
    Object.assign(window, { times });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) times.tasks.push([startTime, duration]);
    }).observe({ type: "longtask" });
    document.addEventListener("change", () => (times.chosen = performance.now()), true);
    document.addEventListener(
      "click",
      ({ target }) => {
        if (target instanceof Element && target.closest("[data-use]")) times.pressed = performance.now();
      },
      true,
    );
    const painted = (set: () => void) => requestAnimationFrame(() => setTimeout(set)); // after the next paint
    new MutationObserver(() => {
      if (!times.shown && document.querySelector(".crop .frame[x]")) painted(() => (times.shown ||= performance.now()));
      if (times.pressed && !times.drawn && document.querySelector("li.is-uploading"))
        painted(() => (times.drawn ||= performance.now()));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowness });
  await page.getByLabel("Passport photo").setInputFiles(photo);
  await page.waitForFunction(() => (window as unknown as { times: { shown: number } }).times.shown > 0);
  await page.getByRole("button", { name: "Use this photo" }).click();
  await page.waitForFunction(() => (window as unknown as { times: { drawn: number } }).times.drawn > 0);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const times = await page.evaluate(
    () =>
      (
        window as unknown as {
          times: { chosen: number; shown: number; pressed: number; drawn: number; tasks: [number, number][] };
        }
      ).times,
  );
  await context.close();
  const longest = (from: number, to: number) =>
    Math.max(0, ...times.tasks.filter(([at]) => at >= from && at <= to).map(([, duration]) => duration));
  return {
    shown: times.shown - times.chosen,
    longest: longest(times.chosen, times.shown),
    used: times.drawn - times.pressed,
    longestUsed: longest(times.pressed, times.drawn),
  };
}
