// What must hold of every page in every state. A judge looks at a page that is open, in each look that matters to it,
// and says what is wrong; it leaves the page as it found it, but for its size and colours.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { RunOnly } from "axe-core";
import { marked } from "./blocks.ts";
import { clipped, colourless, headings, moving, overlapping, stuck, tooWide } from "./measure.ts";

/** One way to look at a page. */
export interface Look {
  colorScheme: "light" | "dark";
  width: number;
}

/** A page, and how to say what is wrong with it in one look; an empty list is right. */
export interface Case {
  page: Page;
  scripts: boolean; // whether the browser runs them
  looks: Look[]; // in which its accessibility is judged
  widths: number[]; // window widths that it must fit
  refreshes: boolean; // whether it may lead on by itself
  titles: number; // its headings of the first level
  say: (look: string, faults: unknown[]) => void;
}

export type Judge = (of: Case) => Promise<void>;

const long = Boolean(process.env.LONG);
const height = 800; // of most windows: a size that stays costs no layout

/** Text of 200 % is neither cut nor covered: pages grow with their reader's text. */
async function largeText({ page, say }: Case) {
  await setText(page, 200);
  for (const width of long ? [1280, 768, 360] : [360]) {
    await page.setViewportSize({ width, height });
    await read(page, `at ${width} px with text of 200 %`, say);
  }
  await setText(page, 100);
}

/** Nothing scrolls sideways: every page fits small screens; the smallest is also a large one at 400 %. */
async function fit({ page, widths, say }: Case) {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    say(`wider than ${width} px`, await tooWide(page));
  }
}

/** A page fits, also where letters, words, lines and paragraphs stand as far apart as a reader needs (WCAG 1.4.12). */
async function fitSpaced({ page, widths, say }: Case) {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    say(`wider than ${width} px`, await tooWide(page));
    if (!(long ? [1280, 360, 320] : [320]).includes(width)) continue;
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet(); // a style element would be refused by the policy
      sheet.replaceSync(`
        * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
        p { margin-block-end: 2em !important }`);
      document.adoptedStyleSheets = [sheet];
    });
    await read(page, `at ${width} px with text spacing`, say);
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
  }
}

/** Text is neither cut nor covered, nor wider than the window. */
async function read(page: Page, where: string, say: Case["say"]) {
  const [wide, cut, covered] = await Promise.all([tooWide(page), clipped(page), overlapping(page)]);
  say(`wider than the window ${where}`, wide);
  say(`cut ${where}`, cut);
  say(`covered ${where}`, covered);
}

/** What stays in sight leaves a low window, as one of 800 px at 400 %, to what is read. */
async function lowWindow({ page, say }: Case) {
  await page.setViewportSize({ width: 640, height: 200 });
  const share = await stuck(page);
  say(
    "of a window of 640 × 200 px is covered by what sticks to it",
    share > 0.25 ? [`${Math.round(share * 100)} %`] : [],
  );
}

/** Who wants no motion sees none. */
async function motion({ page, say }: Case) {
  say("moves where no motion is wanted", await moving(page));
}

/** In the colours of a reader's own choice, controls have an edge or a line, and signs the colour of text. */
async function forcedColours({ page, say }: Case) {
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 360, height });
  say("cannot be seen in forced colours", await colourless(page));
  await page.emulateMedia({ forcedColors: null });
}

/** A page has one heading of the first level: what it is about. */
async function title({ page, titles, say }: Case) {
  const found = await headings(page);
  say("headings of the first level", found.length === titles ? [] : [`${found.length}: ${found.join(", ")}`]);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const everyRule: RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
// The dark theme changes colours alone, and both widths are judged in the light one.
const rulesOfColours: RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block", "target-size"] };

/** No rule of accessibility is violated: names, roles, contrast, the size of targets. */
async function access({ page, scripts, looks, refreshes, say }: Case) {
  if (!scripts) await page.evaluate(promiseTimers);
  for (const look of looks.filter(({ colorScheme }) => colorScheme === "light")) {
    await take(page, look);
    say(`axe, light, ${look.width} px`, await violations(page, everyRule, refreshes ? ["meta-refresh"] : []));
  }
}

/** No rule of colours is violated in the dark theme. */
async function dark({ page, scripts, looks, say }: Case) {
  if (!scripts) await page.evaluate(promiseTimers);
  for (const look of looks.filter(({ colorScheme }) => colorScheme === "dark")) {
    await take(page, look);
    say(`axe, dark, ${look.width} px`, await violations(page, rulesOfColours));
  }
}

async function take(page: Page, { colorScheme, width }: Look) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" })); // what sticks to the window covers no target there
}

/** What violates some rules, but for those that are off, outside of marked blocks. That contrast is not judged is a violation too. */
export async function violations(page: Page, runOnly: RunOnly, off: string[] = []): Promise<unknown[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async ({ runOnly, off, marked }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations, passes } = await axe.run(
        { exclude: [marked] },
        {
          runOnly,
          rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
          resultTypes: ["violations"],
        },
      );
      if (!passes.some(({ id }) => id === "color-contrast")) return ["contrast was not judged"];
      return violations.map(({ id, help, nodes }) => [id, help, nodes.slice(0, 4).map(({ html }) => html)]);
    },
    { runOnly, off, marked },
  );
}

/** A page without scripts has no timers either. axe goes on by those of 0 ms; the long ones end what takes too long. */
function promiseTimers() {
  Object.assign(window, {
    setTimeout: (act: () => void, ms = 0) => {
      if (ms < 100) Promise.resolve().then(act);
    },
  });
}

/** Judge a page as a whole. */
export const ofPages: Judge[] = [title, motion, lowWindow, access];
export const ofPagesBriefly: Judge[] = [title, access];
/** Judge each block of a page by itself. */
export const ofBlocks: Judge[] = [largeText, fitSpaced, forcedColours, dark];
export const ofBlocksBriefly: Judge[] = [fit, dark];

/** Judge a page of which only the texts are new. */
export const ofTexts: Judge[] = [title, fit];

/** Gives a page the text size that its reader has chosen in the browser's own settings, and checks that it took it. */
export async function setText(page: Page, percent: number) {
  const browser = await page.context().newCDPSession(page);
  const standard = (16 * percent) / 100;
  await browser.send("Page.setFontSizes", { fontSizes: { standard } });
  await browser.detach();
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  if (size !== `${standard}px`) throw new Error(`text of ${percent} % is ${size}`);
}
