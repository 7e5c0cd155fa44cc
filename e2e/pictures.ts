// Screenshots of every page and state for people to look at: npx playwright test --grep @pictures
import { reachable, type State } from "./states.ts";
import { test } from "./test.ts";

const folder = "test-results/pictures";

/** Takes screenshots of the given states with simulators of these gateways. */
export function pictures(states: readonly State[], gateways = "") {
  test.use({ gateways });
  for (const [i, state] of reachable(states, true).entries()) {
    // The person of the drawings; each state has its own phone number and e-mail address.
    test(`${state.name} @pictures`, async ({ page, person, enrolment }) => {
      const phone = String(98765_43210 + i);
      Object.assign(person, { name: "Asha Pillai", email: `asha${i}@example.com`, phone });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await state.open({ page, person, enrolment });
      await page.route("/hiresure/upload-doc", (route) => route.fulfill({ status: 204 })); // keeps a page from continuing there
      await page.mouse.move(0, 0);
      for (const width of [360, 768, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.evaluate(() => window.scrollTo(0, 0)); // puts sticky elements at their first position
          // Sticky buttons go to the end instead, so that they hide nothing.
          const height = await page.evaluate(() =>
            document.querySelector(".application-buttons, .pay-bar, .apply-now") ? document.body.scrollHeight : 0,
          );
          if (height > 900) await page.setViewportSize({ width, height });
          const path = `${folder}/${state.name.replaceAll(/[^a-z0-9]+/g, "-")}-${width}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage: true });
        }
      }
    });
  }
}
