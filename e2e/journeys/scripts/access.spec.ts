// Keyboard, screen reader and bad connections: checks that need a browser.
import type { Page } from "@playwright/test";
import { landing } from "../../enrolment.ts";
import { answer, expectOutcome, payButton } from "../../outcomes.ts";
import { unfoldEnquiry } from "../../states.ts";
import { expect, test } from "../../test.ts";

/** Describes the focused element: whether it takes keys, and which parts of it, its label and its message are out of sight. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return "body";
    const name = `${element.tagName} ${element.id || element.textContent?.trim().slice(0, 30)}`;
    const label = (element as HTMLInputElement).labels?.[0];
    const message = element.getAttribute("aria-invalid") && element.getAttribute("aria-describedby")?.split(" ")[0];
    const over = (part: Element, x: number, y: number) => {
      const top = document.elementFromPoint(x, y);
      if (!top) return "the edge of the window";
      return part.contains(top) || top.contains(part) || label?.contains(top) ? "" : top.outerHTML.slice(0, 60);
    };
    const parts = [element, label, message ? document.getElementById(message) : null].filter((part) => part != null);
    for (const part of parts) {
      const [box] = part.getClientRects(); // the first line of a link that wraps
      if (!box || box.width < 2) continue; // visually hidden
      const { left, top, bottom } = box;
      const rim = Math.min(12, box.height / 4); // neighbouring links may touch
      const ends = box.height > innerHeight / 2 ? [top + rim] : [top + rim, bottom - rim]; // a long summary need not fit
      for (const y of ends) {
        const lies = over(part, left + 4, y);
        if (lies) return `${name}: ${part.tagName} is under ${lies}`;
      }
    }
    const takesKeys = element.matches("a[href], button, input, select, textarea, summary, [tabindex='-1']");
    const scrolls = element.scrollWidth > element.clientWidth;
    return takesKeys || scrolls ? "" : `${name} takes the focus, and no key`;
  });
}

test("the focused element is visible with its label and error: summary links, Tab and Shift+Tab", async ({
  page,
  enrolment,
}) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: "reduce" }); // smooth scrolling would be measured too early
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 640 });
  const found: string[] = [];
  const look = async (how: string) => {
    const fault = await focused(page);
    if (fault) found.push(`${how}: ${fault}`);
  };
  await enrolment.open();
  await enrolment.field("Full name").fill("A5");
  await enrolment.field("E-mail").fill("asha@example");
  await enrolment.proceedToPay();
  await expect(enrolment.toDo).toBeFocused();
  await look("what is left to do");
  const place = await unfoldEnquiry(page);
  await place.getByLabel("Your full name").focus();
  await expect(place.getByRole("combobox", { name: "Country" })).toHaveValue("India (+91)"); // the script has loaded
  await place.getByRole("button", { name: "Send", exact: true }).click();
  const links = page.locator(".error-summary a, .to-do a");
  expect(await links.count()).toBeGreaterThan(3);
  for (const link of await links.all()) {
    await link.focus();
    await link.press("Enter");
    await look(`the link ${await link.textContent()}`);
  }
  await page.getByRole("link", { name: "Skip to content" }).focus();
  for (const key of ["Tab", "Shift+Tab"]) {
    const walked = new Set<string>();
    for (let n = 0; n < 140; n++) {
      await page.keyboard.press(key);
      const at = await focused(page);
      if (at === "body") break; // the end of the page
      if (at) found.push(`${key}: ${at}`);
      walked.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? ""));
    }
    expect(walked.size, key).toBeGreaterThan(40);
  }
  expect(found).toEqual([]);
});

test("a menu closes when the keyboard leaves it", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(landing);
  const menu = page.getByRole("navigation", { name: "Main" });
  const open = page.getByRole("button", { name: "Menu" });
  await open.press("Enter");
  const close = menu.getByRole("button", { name: "Close" });
  await expect(close).toBeFocused();
  await close.press("Enter");
  await expect(open).toBeFocused();
  await open.press("Enter");
  await expect(close).toBeFocused(); // opening the menu moves the focus, so wait for it
  await menu.getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("link", { name: "Apply Now", exact: true }).first()).toBeFocused();
});

test("Enter in a field continues, also before the form's script has loaded", async ({ page, enrolment, faults }) => {
  faults.allow(/ERR_FAILED .*enrolment-/);
  await page.route(/\/static\/enrolment-.*\.js$/, (route) => route.abort());
  await page.goto(landing);
  await enrolment.field("Full name").fill("Asha Verma");
  await enrolment.field("E-mail").fill("asha@example.com");
  await enrolment.field("E-mail").press("Enter");
  await expect(enrolment.field("Mobile number")).toBeFocused();
  await expect(enrolment.summary).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^Error: /);
});

test("the + and − of disclosures are not announced", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 }); // wide pages have no folds
  await page.goto("/legal/privacy");
  await expect(page.locator(".fold")).toHaveCount(1);
  const read = () =>
    page
      .locator("summary")
      .evaluateAll((all) =>
        all.flatMap((summary) => ["::before", "::after"].map((part) => getComputedStyle(summary, part).content)),
      );
  const closed = await read();
  await page.locator(".fold > summary").click();
  const names = [...closed, ...(await read())];
  const signs = names.filter((content) => /[+−]/.test(content));
  expect(new Set(signs)).toEqual(new Set(['"+" / ""', '"−" / ""']));
});

test("a success that counts down has its Stay button first, and stays once the focus moves", async ({
  page,
  person,
}) => {
  await person.at("paid");
  await page.clock.install();
  await page.goto(`/success?kspay_id=${person.payment}`);
  await expect(page.locator(".redirect").getByRole("status")).toHaveText("Your programme page opens in 5 s.");
  const actions = page.locator(".redirect").locator("a, button");
  await expect(actions.first()).toHaveText("Stay");
  await expect(actions.first()).toBeInViewport();
  await actions.first().evaluate((button: HTMLElement) => button.focus()); // a screen reader moves the focus without a key
  await page.clock.runFor(60_000);
  await expect(page).toHaveURL(/\/success/);
  await expect(page.locator(".redirect").getByRole("status")).toHaveText("This page stays open.");
  await expect(actions.first()).toBeHidden();
  await expect(actions.last()).toBeFocused();
});

test("offline is announced once and visible, and no press opens the browser's error page", async ({
  context,
  page,
  person,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  const strip = page.getByText("You are offline.");
  await person.at("enrolled");
  await page.goto("/pay");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Pay ₹" }).click();
  await expect(page.getByRole("alert")).toHaveText("Not sent. Please try again once you are online.");
  await expect(page.locator(".toast")).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(strip).toBeInViewport();
  await expect(strip).toHaveCount(1);
  await context.setOffline(false);
  await expect(strip).toBeHidden();
  await page.getByRole("button", { name: "Pay ₹" }).click();
  await expect(page).toHaveURL(/\/checkout\//);
  const pay = page.getByRole("button", { name: payButton });
  await expect(pay).toHaveAttribute("type", "button"); // React has replaced the server's button
  await context.setOffline(true);
  await pay.click();
  await expect(page.getByRole("alert")).toHaveText("Not sent yet. We send it when you are online.");
  await expect(page).toHaveURL(/\/checkout\//);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/success/);
});

test("links of legal pages and footer are 24 px high, and tables have a caption", async ({ page, person }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const path of [landing, "/legal/terms", "/legal/privacy", "/legal/refund-policy", "/legal/grievance"]) {
    await page.goto(path);
    const low = page
      .locator("main a:visible, footer a:visible")
      .evaluateAll((links) =>
        links
          .filter((link) => link.getBoundingClientRect().height < 24)
          .map((link) => `${link.textContent?.trim()}: ${link.getBoundingClientRect().height}`),
      );
    expect(await low, path).toEqual([]);
  }
  await person.at("paid", "MGROW500");
  await page.goto(`/checkout/${person.payment}/invoice`);
  for (const table of await page.locator("main table:visible").all())
    await expect(table.locator("caption")).not.toBeEmpty();
  await page.goto(`/checkout/${person.payment}/receipt`);
  const titles = await page.getByRole("heading").allTextContents();
  expect(new Set(titles).size).toBe(titles.length);
});

test("the checkout's form pays if its script cannot be loaded", async ({ page, person, faults }) => {
  faults.allow(/ERR_FAILED .*sandbox-/);
  await page.route(/\/static\/sandbox-.*\.js$/, (route) => route.abort());
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`);
  await expect(page.getByRole("alert")).toHaveText(
    "The payment window failed to load. Pay with the buttons here instead.",
  );
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});
