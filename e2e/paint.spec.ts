// First paint of the landing page on a cheap phone with a bad connection, compared with a floor: the same page with inline styles
// and without scripts and web fonts.
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { landing } from "./enrolment.ts";
import { expect, test } from "./test.ts";

const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }; // ms, bytes a second
const slowness = 6; // CPU throttling factor

interface Painted {
  first: number; // ms after the request
  largest: number;
}

test("the landing page's first paint is near the floor, median of 5 @long @alone", async ({ site, browser }, info) => {
  test.setTimeout(300_000);
  const floor = await serveFloor(site.url);
  const runs: { page: Painted; floor: Painted }[] = [];
  for (let run = 0; run < 5; run++)
    runs.push({ page: await paint(browser, site.url + landing), floor: await paint(browser, floor.url + landing) });
  floor.close();
  const median = (value: (run: (typeof runs)[0]) => number) => runs.map(value).sort((a, b) => a - b)[2] ?? Number.NaN;
  const figures = {
    first: median(({ page }) => page.first),
    firstByFloor: median(({ page }) => page.first) / median(({ floor }) => floor.first),
    largestByFloor: median(({ page }) => page.largest) / median(({ floor }) => floor.largest),
  };
  console.log("Paint at 400 kbit/s:", figures);
  info.annotations.push({ type: "paint", description: JSON.stringify(figures) });
  expect(figures.first).toBeLessThan(2300);
  expect(figures.firstByFloor).toBeLessThanOrEqual(1.15);
  expect(figures.largestByFloor).toBeLessThanOrEqual(1.25);
});

async function paint(browser: Browser, url: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", line);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowness });
  await page.goto(url, { waitUntil: "networkidle" });
  const painted = await page.evaluate(
    () =>
      new Promise<Painted>((resolve) => {
        const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
        new PerformanceObserver((list) =>
          resolve({ first, largest: list.getEntries().at(-1)?.startTime ?? Number.NaN }),
        ).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return painted;
}

/** Serves the floor version of the page, and proxies everything else to the site. */
async function serveFloor(site: string): Promise<{ url: string; close: () => void }> {
  const text = async (path: string) => (await fetch(site + path)).text();
  const html = await text(landing);
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"( media)?/g)].filter(([, , media]) => !media);
  const later = await Promise.all(sheets.map(([, path = ""]) => text(path)));
  const styles = [html.match(/<style>([^<]*)<\/style>/)?.[1], ...later]
    .join("")
    .replace(/@font-face\{[^}]*url\([^}]*\}/g, "");
  const bare = html
    .replace(/<style>[^<]*<\/style>|<link rel="(stylesheet|preload)"[^>]*>|<script type="module"[^>]*><\/script>/g, "")
    .replace("</head>", () => `<style>${styles}</style></head>`);
  const body = gzipSync(bare, { level: 9 });
  const server = createServer((asked, answer) => {
    if (asked.url === landing) {
      answer.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end(body);
      return;
    }
    ask(site + asked.url, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    }).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
