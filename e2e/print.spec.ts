// Printed pages on Letter and A4, one page per paper. Screenshots: npx playwright test --grep "print @pictures"
import { reachable, states } from "./states.ts";
import { expect, test } from "./test.ts";

const pages: Record<string, number> = {
  invoice: 1,
  "invoice, refunded": 2,
  receipt: 1,
  "receipt, refunded": 1,
  ticket: 1,
  "success, paid": 1,
};

for (const state of reachable(states, true).filter(({ name }) => name in pages)) {
  test(`${state.name} is printed on one page per paper`, async ({ page, person, enrolment }) => {
    await state.open({ page, person, enrolment });
    for (const format of ["Letter", "A4"]) {
      const printed = (await page.pdf({ format })).toString("latin1");
      expect(printed.match(/\/Type \/Page\b/g)?.length, format).toBe(pages[state.name]);
    }
  });

  test(`${state.name} print @pictures`, async ({ page, person, enrolment }) => {
    await state.open({ page, person, enrolment });
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 816, height: 946 });
    await page.screenshot({
      path: `test-results/pictures/${state.name.replaceAll(/[^a-z0-9]+/g, "-")}-print.png`,
      fullPage: true,
    });
  });
}

test("an animated ticket is printed complete", async ({ page, person }) => {
  await person.at("paid");
  await page.goto(`/success?kspay_id=${person.payment}`);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".is-arriving .qr")).toHaveCSS("animation-name", "none");
});
