// Every page grows with its reader's text, here 200 % as a browser's own setting makes it.
import { clipped, overlapping, tooWide } from "./measure.ts";
import { statesFor } from "./states.ts";
import { expect, test } from "./test.ts";

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"] }),
});

for (const state of statesFor(true)) {
  test(`200 % text is neither cut nor covered: ${state.name}`, async ({ page, person, enrolment }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await state.open({ page, person, enrolment });
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await tooWide(page), `wider than ${width} px`).toEqual([]);
      expect.soft(await clipped(page), `cut at ${width} px`).toEqual([]);
      expect.soft(await overlapping(page), `covered at ${width} px`).toEqual([]);
    }
  });
}
