// Every mail on phone and desktop without pictures, because many mail programs block them at first.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import type { RunOnly } from "axe-core";
import { type Look, rulesOfColours, violations } from "./judges.ts";
import { tooWide } from "./measure.ts";

const long = Boolean(process.env.LONG);

// Gmail clips mails at 102 KB.
const most = 100 * 1024;

const looks: (Look & { rules: RunOnly })[] = [
  { colorScheme: "light", width: 360, rules: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag22aa"] } },
  { colorScheme: "dark", width: 600, rules: rulesOfColours },
];

// Some phones' mail programs drop the head's styles, so mails must fit phones without them.
const head = /<style>.*?<\/style>/gs;

test("every mail fits and is readable without pictures", async ({ page }) => {
  test.setTimeout(180_000); // Go may need to compile first
  const { stdout } = await promisify(execFile)("bin/mails", [], { maxBuffer: 1 << 26 });
  const mails = Object.entries<string>(JSON.parse(stdout));
  expect(mails.length).toBeGreaterThan(0);
  for (const [name, html] of mails) {
    const say = (look: string, faults: unknown[]) => expect.soft(faults, `${name}: ${look}`).toEqual([]);
    expect.soft(Buffer.byteLength(html), `${name}: bytes`).toBeLessThan(most);
    await page.goto("about:blank"); // removes axe from the window
    await page.setContent(html);
    say("pictures without a text that stands for them", await every("img:not([alt])"));
    say(
      "links that lead nowhere from a mail",
      await every("a:not([href^='https://'], [href^='mailto:'], [href^='tel:'])"),
    );
    for (const { colorScheme, width, rules } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      say(`wider than ${width} px`, await tooWide(page));
      // The longest texts of a mail stand in the same elements and colours.
      if (long || !name.endsWith(", longest")) say(`axe, ${colorScheme}`, await violations(page, rules));
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.setContent(html.replaceAll(head, ""));
    say("wider than 360 px without the styles of its head", await tooWide(page));
  }

  async function every(selector: string) {
    return page.locator(selector).evaluateAll((found) => found.map(({ outerHTML }) => outerHTML));
  }
});
