import AxeBuilder from "@axe-core/playwright";
import { statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

for (const state of statesFor(true)) {
  test(`no violation: ${state.name}`, async ({ page, person, enrolment }) => {
    await page.emulateMedia({ reducedMotion: "reduce" }); // colours are judged at rest
    await state.open({ page, person, enrolment });
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
        const found = violations.map(({ id, help, nodes }) => [id, help, nodes.slice(0, 4).map(({ html }) => html)]);
        expect.soft(found, `${state.name}, ${colorScheme}, ${width} px`).toEqual([]);
      }
  });
}
