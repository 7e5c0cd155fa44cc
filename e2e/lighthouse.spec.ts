import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { landing } from "./enrolment.ts";
import { hasFallback } from "./fonts.ts";
import { expect, test } from "./test.ts";

interface Report {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue: number }>;
}

for (const address of [landing, `${landing}/courses`, `${landing}/courses/data-analytics`])
  test(`Lighthouse on a phone, median of 5: ${address} @long @alone`, async ({ site, launchOptions }, info) => {
    test.skip(!hasFallback, "no font that takes as much room as ours");
    test.setTimeout(600_000);
    const runs: Report[] = [];
    for (let run = 0; run < 5; run++) {
      const flags = ["--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"];
      const { stdout } = await promisify(execFile)("node_modules/.bin/lighthouse", [site.url + address, ...flags], {
        env: { ...process.env, CHROME_PATH: launchOptions.executablePath },
        maxBuffer: 1 << 26,
      });
      runs.push(JSON.parse(stdout));
    }
    const median = (value: (report: Report) => number) => runs.map(value).sort((a, b) => a - b)[2];
    const score = (name: string) => Math.round((median(({ categories }) => categories[name]?.score ?? 0) ?? 0) * 100);
    const scores = {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
    };
    const shift = median(({ audits }) => audits["cumulative-layout-shift"]?.numericValue ?? 1);
    console.log("Lighthouse, medians:", address, scores, shift);
    await info.attach("lighthouse.json", { body: JSON.stringify(runs.at(-1)) });
    expect(scores).toEqual({ performance: 100, accessibility: 100, "best-practices": 100, seo: 100 });
    expect(shift).toBeLessThan(0.005);
  });
