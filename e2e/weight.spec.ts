// Bytes of the landing page before the first touch. Browsers request brotli over https only, so the test fetches the same files
// again with brotli and weighs those.
import { request as ask } from "node:http";
import type { Page } from "@playwright/test";
import { Application } from "./application.ts";
import { chooseFile, picture, row } from "./document-states.ts";
import { landing } from "./enrolment.ts";
import { expect, test } from "./test.ts";
import { opens, upload } from "./uploads.ts";

const kilobyte = 1000;

for (const path of [landing, "/apply/hiresure-campus-2026"])
  for (const viewport of [
    { width: 360, height: 780 },
    { width: 1280, height: 900 },
  ])
    test(`${path} is light at ${viewport.width} px`, async ({ page, site }) => {
      await page.setViewportSize(viewport);
      const fetched = new Map<string, string>(); // address → kind
      page.on("request", (request) => fetched.set(request.url(), request.resourceType()));
      await page.goto(path, { waitUntil: "networkidle" });
      const weights: Record<string, number> = {};
      const later = await preloaded(page); // once the browser is idle
      for (const [url, kind] of fetched)
        if (!later.includes(url)) weights[kind] = (weights[kind] ?? 0) + (await weigh(url));
      const { document = 0, stylesheet = 0, script = 0, font = 0 } = weights;
      test.info().annotations.push({ type: "bytes", description: JSON.stringify(weights) });
      expect([...fetched.keys()].filter((url) => !url.startsWith(site.url))).toEqual([]);
      expect(document).toBeGreaterThan(0);
      expect(script, "script").toBeLessThanOrEqual(8 * kilobyte);
      expect(document + stylesheet + script + font, "all").toBeLessThanOrEqual(100 * kilobyte);
    });

test("the enrolment form's script is light", async ({ page, enrolment }) => {
  await page.goto(landing);
  await enrolment.takenOver();
  const weight = await weighAll(await preloaded(page));
  test.info().annotations.push({ type: "bytes", description: String(weight) });
  expect(weight).toBeGreaterThan(10 * kilobyte);
  expect(weight).toBeLessThanOrEqual(95.5 * kilobyte); // 92 before the list of steps, the shared phone, and help at the code
});

test("the application's script is light", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await page.locator(".island-root[data-live]").waitFor();
  const weight = await weighOwnScripts(page);
  test.info().annotations.push({ type: "bytes", description: String(weight) });
  console.log(`application: ${weight} bytes`);
  expect(weight).toBeGreaterThan(10 * kilobyte);
  expect(weight).toBeLessThanOrEqual(90 * kilobyte);
});

test("the checkout's script is light", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`, { waitUntil: "networkidle" });
  const weight = await weighOwnScripts(page);
  test.info().annotations.push({ type: "bytes", description: String(weight) });
  console.log(`checkout: ${weight} bytes`);
  expect(weight).toBeGreaterThan(10 * kilobyte);
  expect(weight).toBeLessThanOrEqual(72 * kilobyte);
});

test("a visitor who saves data loads no island before the first touch", async ({ page, enrolment }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true }),
  );
  await page.goto(landing, { waitUntil: "networkidle" });
  expect(await preloaded(page)).toEqual([]);
  await enrolment.takenOver();
  expect(await preloaded(page)).not.toEqual([]);
});

test("the documents' script is light and includes what sends the first file", async ({ page, person }) => {
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const [opened, everywhere] = [await scripts(page), await scriptsEverywhere(page)];
  await page.goto(upload);
  await chooseFile(page, "Passport photo", picture("me.jpg"), true);
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
  const sent = await scripts(page);
  const weights = {
    page: await weighAll(opened.filter((url) => !everywhere.includes(url))),
    photo: await weighAll(sent.filter((url) => !opened.includes(url))),
  };
  test.info().annotations.push({ type: "bytes", description: JSON.stringify(weights) });
  console.log("documents:", weights);
  expect(opened.filter((url) => /\/(send|crop|pages)-/.test(url))).toEqual([]);
  expect(weights.page).toBeGreaterThan(4 * kilobyte);
  expect(weights.page).toBeLessThanOrEqual(16 * kilobyte);
  expect(weights.photo).toBeGreaterThan(10 * kilobyte);
  expect(weights.photo).toBeLessThanOrEqual(24 * kilobyte);
});

/** Returns the modules that a page preloads for an island. */
const preloaded = (page: Page) =>
  page.locator("link[rel=modulepreload]").evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));

/** Returns the scripts that a page has requested. */
const scripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((entry) => entry.name)
      .filter((name) => name.endsWith(".js")),
  );

async function scriptsEverywhere(page: Page) {
  await page.goto("/account"); // loads the scripts of every signed-in page
  await page.waitForLoadState("networkidle");
  return scripts(page);
}

/** Returns the bytes of a page's scripts, without those of every signed-in page. */
async function weighOwnScripts(page: Page): Promise<number> {
  const own = await scripts(page);
  const everywhere = await scriptsEverywhere(page);
  return weighAll(own.filter((url) => !everywhere.includes(url)));
}

async function weighAll(urls: string[]): Promise<number> {
  let weight = 0;
  for (const url of new Set(urls)) weight += await weigh(url);
  return weight;
}

/** Returns the transferred bytes of a response's body, with brotli if the server has it. */
async function weigh(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    ask(url, { headers: { "Accept-Encoding": "br, gzip" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("end", () => resolve(bytes));
    })
      .on("error", reject)
      .end();
  });
}
