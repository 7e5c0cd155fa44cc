import AxeBuilder from "@axe-core/playwright";
import { statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// Every rule judges both widths once; contrast alone depends on the theme too.
const looks = [
  { colorScheme: "light", width: 1280, all: true },
  { colorScheme: "dark", width: 1280, all: false },
  { colorScheme: "dark", width: 360, all: true },
  { colorScheme: "light", width: 360, all: false },
] as const;

for (const state of statesFor(true)) {
  test(`no violation: ${state.name}`, async ({ page, person, enrolment }) => {
    await page.emulateMedia({ reducedMotion: "reduce" }); // colours are judged at rest
    await state.open({ page, person, enrolment });
    for (const { colorScheme, width, all } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const axe = new AxeBuilder({ page });
      const { violations } = await (all ? axe.withTags(rules) : axe.withRules("color-contrast")).analyze();
      const found = violations.map(({ id, help, nodes }) => [id, help, nodes.slice(0, 4).map(({ html }) => html)]);
      expect.soft(found, `${state.name}, ${colorScheme}, ${width} px`).toEqual([]);
    }
  });
}
