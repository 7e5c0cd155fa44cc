// Checks that every page must pass in every state. A judge checks an open page in the windows and themes that matter to it and reports
// faults. It changes only the window's size and the colours.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { RunOnly } from "axe-core";
import { marked } from "./blocks.ts";
import { clipped, colourless, headings, moving, overlapping, placeholders, stuck, tooWide } from "./measure.ts";

/** A theme and a window width. */
export interface Look {
  colorScheme: "light" | "dark";
  width: number;
}

/** A page to check. say reports the faults of one look; an empty list means that there are none. */
export interface Case {
  page: Page;
  scripts: boolean; // whether the browser runs scripts
  looks: Look[]; // in which accessibility is checked
  widths: number[]; // window widths that it must fit
  refreshes: boolean; // whether it may refresh or redirect by itself
  titles: number; // number of its h1 headings
  say: (look: string, faults: unknown[]) => void;
}

export type Judge = (of: Case) => Promise<void>;

const long = Boolean(process.env.LONG);
const height = 800; // of most windows: an unchanged size costs no layout

/** Checks that text at 200 % is neither cut nor covered. */
async function largeText({ page, say }: Case) {
  await setText(page, 200);
  for (const width of long ? [1280, 768, 360] : [360]) {
    await page.setViewportSize({ width, height });
    await read(page, `at ${width} px with text of 200 %`, say);
  }
  await setText(page, 100);
}

/** Checks that nothing scrolls sideways. The smallest width equals a large screen zoomed to 400 %. */
async function fit({ page, widths, say }: Case) {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    say(`wider than ${width} px`, await tooWide(page));
  }
}

/** Checks that a page fits, also with the text spacing of WCAG 1.4.12. */
async function fitSpaced({ page, widths, say }: Case) {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    say(`wider than ${width} px`, await tooWide(page));
    if (!(long ? [1280, 360, 320] : [320]).includes(width)) continue;
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet(); // the content security policy blocks style elements
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

/** Checks that text is neither cut nor covered, nor wider than the window. */
async function read(page: Page, where: string, say: Case["say"]) {
  const [wide, cut, covered] = await Promise.all([tooWide(page), clipped(page), overlapping(page)]);
  say(`wider than the window ${where}`, wide);
  say(`cut ${where}`, cut);
  say(`covered ${where}`, covered);
}

/** Checks that sticky parts leave most of a low window free, such as one of 800 px at 400 %. */
async function lowWindow({ page, say }: Case) {
  await page.setViewportSize({ width: 640, height: 200 });
  const share = await stuck(page);
  say(
    "of a window of 640 × 200 px is covered by what sticks to it",
    share > 0.25 ? [`${Math.round(share * 100)} %`] : [],
  );
}

/** Checks that nothing moves with reduced motion. */
async function motion({ page, say }: Case) {
  say("moves where no motion is wanted", await moving(page));
}

/** Checks that controls have an edge or a line in forced colours, and that icons have the colour of text. */
async function forcedColours({ page, say }: Case) {
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 360, height });
  say("cannot be seen in forced colours", await colourless(page));
  await page.emulateMedia({ forcedColors: null });
}

/** Checks the number of h1 headings, and that no text shows a placeholder, such as "{amount}". */
async function title({ page, titles, say }: Case) {
  say("placeholders", await placeholders(page));
  const found = await headings(page);
  say("headings of the first level", found.length === titles ? [] : [`${found.length}: ${found.join(", ")}`]);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const everyRule: RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
// The dark theme changes only colours, and both widths are checked in the light theme.
export const rulesOfColours: RunOnly = {
  type: "rule",
  values: ["color-contrast", "link-in-text-block", "target-size"],
};

/** Checks all accessibility rules in the light theme: names, roles, contrast, the size of targets. */
async function access({ page, scripts, looks, refreshes, say }: Case) {
  if (!scripts) await page.evaluate(promiseTimers);
  for (const look of looks.filter(({ colorScheme }) => colorScheme === "light")) {
    await take(page, look);
    say(`axe, light, ${look.width} px`, await violations(page, everyRule, refreshes ? ["meta-refresh"] : []));
  }
}

/** Checks the colour rules in the dark theme. */
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
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" })); // at the top, sticky parts cover no target
}

/** Returns the violations of the rules outside of marked blocks. off names rules to skip. Unchecked contrast counts as a violation. */
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
          iframes: false, // axe is not in them
        },
      );
      if (!passes.some(({ id }) => id === "color-contrast")) return ["contrast was not judged"];
      return violations.map(({ id, help, nodes }) => [id, help, nodes.slice(0, 4).map(({ html }) => html)]);
    },
    { runOnly, off, marked },
  );
}

/** Replaces timers, which do not run on a page without scripts: axe needs those of 0 ms; long ones are only timeouts. */
function promiseTimers() {
  Object.assign(window, {
    setTimeout: (act: () => void, ms = 0) => {
      if (ms < 100) Promise.resolve().then(act);
    },
  });
}

/** Judges of whole pages. */
export const ofPages: Judge[] = [title, motion, lowWindow, access];
export const ofPagesBriefly: Judge[] = [title, access];
/** Judges of blocks. */
export const ofBlocks: Judge[] = [largeText, fitSpaced, forcedColours, dark];
export const ofBlocksBriefly: Judge[] = [fit, dark];

/** Judges of a page whose blocks were checked before with other texts. */
export const ofTexts: Judge[] = [title, fit];

/** Sets the browser's default text size and checks that the page uses it. */
export async function setText(page: Page, percent: number) {
  const browser = await page.context().newCDPSession(page);
  const standard = (16 * percent) / 100;
  await browser.send("Page.setFontSizes", { fontSizes: { standard } });
  await browser.detach();
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  if (size !== `${standard}px`) throw new Error(`text of ${percent} % is ${size}`);
}
