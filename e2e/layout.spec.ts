// Every page fits small screens; the smallest is also a large one at 400 %.
import { tooWide } from "./measure.ts";
import { statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

for (const state of statesFor(true)) {
  test(`nothing scrolls sideways: ${state.name}`, async ({ page, person, enrolment }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await state.open({ page, person, enrolment });
    for (const width of [320, 344, 360, 390, 480, 640, 768, 960, 1024, 1120, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      expect.soft(await tooWide(page), `${width} px`).toEqual([]);
    }
  });
}
