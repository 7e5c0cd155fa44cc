// Pictures of every page and state, to be looked at: npx playwright test --grep @pictures
import { reachable, type State } from "./states.ts";
import { test } from "./test.ts";

const folder = "test-results/pictures";

/** Takes those of some states; gateways are the providers that are played. */
export function pictures(states: readonly State[], gateways = "") {
  test.use({ gateways });
  for (const [i, state] of reachable(states, true).entries()) {
    // The person of the drawings, with a number and an address of each state's own.
    test(`${state.name} @pictures`, async ({ page, person, enrolment }) => {
      const phone = String(98765_43210 + i);
      Object.assign(person, { name: "Asha Pillai", email: `asha${i}@example.com`, phone });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await state.open({ page, person, enrolment });
      await page.route("/hiresure/upload-doc", (route) => route.fulfill({ status: 204 })); // a page that leads there stays
      await page.mouse.move(0, 0);
      for (const width of [360, 768, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.evaluate(() => window.scrollTo(0, 0)); // what sticks stands where it is first seen
          // But not the buttons of a form: a picture shows what lies behind them, and them at the end.
          const height = await page.evaluate(() =>
            document.querySelector(".work-bar, .pay-bar") ? document.body.scrollHeight : 0,
          );
          if (height > 900) await page.setViewportSize({ width, height });
          const path = `${folder}/${state.name.replaceAll(/[^a-z0-9]+/g, "-")}-${width}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage: true });
        }
      }
    });
  }
}
