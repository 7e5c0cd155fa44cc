// Every page fits a small screen, which is also a large one at 400 %.
import { tooWide } from "./measure.ts";
import { statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

for (const state of statesFor(true)) {
  test(`nothing scrolls sideways at 320 px: ${state.name}`, async ({ page, person, enrolment }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await state.open({ page, person, enrolment });
    expect(await tooWide(page)).toEqual([]);
  });
}
