// Motion and keyboard use of the landing page.
import type { Locator } from "@playwright/test";
import { landing } from "./enrolment.ts";
import { unfoldEnquiry } from "./states.ts";
import { expect, test } from "./test.ts";

test.describe("rotations", () => {
  test("rotate every 3 s, and pause after Pause, under the pointer and with the focus", async ({ page }) => {
    await page.clock.install();
    await page.goto(landing);
    const places = await page.locator("[data-rotate]").all();
    expect(places.length).toBe(2);
    for (const place of places) {
      const active = place.locator("[data-place=active]");
      const pause = place.getByRole("button", { name: "Pause" });
      const stands = async () => {
        const still = (await active.textContent()) ?? "";
        await page.clock.runFor(60_000);
        await expect(active).toHaveText(still);
      };
      await page.mouse.move(0, 0);
      const first = (await active.textContent()) ?? "";
      await page.clock.runFor(3100);
      await expect(active).not.toHaveText(first);
      await pause.click();
      await page.mouse.move(0, 0);
      await pause.blur();
      await expect(pause).toHaveAttribute("aria-pressed", "true");
      await stands();
      await pause.press("Enter");
      await expect(pause).toHaveAttribute("aria-pressed", "false");
      await stands(); // paused by the focus inside
      await pause.blur();
      await place.hover();
      await stands();
    }
  });

  test("wrap around", async ({ page }) => {
    await page.clock.install();
    await page.goto(landing);
    const voices = page.locator("#testimonial");
    const active = voices.locator("[data-place=active]");
    const first = (await active.textContent()) ?? "";
    await page.clock.runFor(3100);
    await expect(active).not.toHaveText(first);
    await page.clock.runFor(9000);
    await expect(active).toHaveText(first);
  });

  test("of testimonials show the active card between its neighbours, with a dot per card", async ({ page }) => {
    await page.clock.install();
    await page.goto(landing);
    const voices = page.locator("#testimonial");
    const quotes = await voices.locator("blockquote").allTextContents();
    const shown = () =>
      voices.locator("li:visible:has(blockquote)").evaluateAll((cards) => {
        const from = (card: Element) => card.getBoundingClientRect().left;
        return cards.sort((a, b) => from(a) - from(b)).map((card) => card.querySelector("blockquote")?.textContent);
      });
    const around = (i: number) => [i + 3, i, i + 1].map((at) => quotes[at % 4]);
    expect(await shown()).toEqual(around(0));
    await voices.getByRole("button", { name: "Show Farhan Qureshi, 3 of 4" }).press("Enter");
    expect(await shown()).toEqual(around(2));
    await expect(voices.locator("[aria-current]")).toHaveAccessibleName("Show Farhan Qureshi, 3 of 4");
    await voices.getByRole("button", { name: "Pause the testimonials" }).press("Enter");
    await page.clock.runFor(60_000);
    expect(await shown()).toEqual(around(2));
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await shown()).toEqual(around(2));
    const card = voices.locator("[data-place=active]");
    const { x = 0, width = 0 } = (await card.boundingBox()) ?? {};
    expect([x > 0, x + width < 360]).toEqual([true, true]);
  });

  test("stay still with reduced motion: dots change the card", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.clock.install();
    await page.goto(landing);
    const active = page.locator("#testimonial [data-place=active] blockquote");
    const [first = "", , , last = ""] = await page.locator("#testimonial blockquote").allTextContents();
    await page.clock.runFor(60_000);
    await expect(active).toHaveText(first);
    await expect(page.locator("#how-it-works .steps li:visible")).toHaveCount(3);
    await expect(page.getByRole("button", { name: /Pause/ })).toHaveCount(0);
    await page.getByRole("button", { name: "4 of 4" }).click();
    await expect(active).toHaveText(last);
  });
});

test("the menu of a small screen opens and closes by keyboard, and closes on a choice", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(landing);
  const menu = page.getByRole("navigation", { name: "Main" });
  const open = page.getByRole("button", { name: "Menu" });
  await expect(menu).toBeHidden();
  await open.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(open).toBeFocused();
  await page.keyboard.press("Space");
  await menu.getByRole("button", { name: "Close" }).press("Enter");
  await expect(menu).toBeHidden();
  await open.click();
  await menu.getByRole("link", { name: "How it works" }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/#how-it-works$/);
  await expect(page.locator("#how-it-works")).toBeInViewport();
});

test("a link to a section scrolls it to 80 px below the top", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  for (const id of ["how-it-works", "courses", "program", "testimonial", "schedule", "faq", "contact"]) {
    await page.goto(`${landing}#${id}`);
    await expect
      .poll(() => page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().top)), id)
      .toBe(80);
  }
});

test("one FAQ answer is open at a time, also by keyboard", async ({ page }) => {
  await page.goto(landing);
  const items = page.locator("#faq details");
  await expect(items).toHaveCount(9);
  await expect(items.first()).toHaveAttribute("open");
  await items.nth(3).locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(items.nth(3)).toHaveAttribute("open");
  await expect(items.first()).not.toHaveAttribute("open");
  await page.keyboard.press("Enter");
  await expect(page.locator("#faq details[open]")).toHaveCount(0);
});

test("the page of all answers has the short ones and a search", async ({ page }) => {
  await page.goto(landing);
  await page.getByRole("link", { name: "Search all answers" }).click();
  await page
    .getByRole("list", { name: "Most asked" })
    .getByRole("link", { name: "last day for a full refund" })
    .click();
  await expect(page.getByText("the full fee. E-mail")).toBeInViewport();
  await page.getByLabel("Search the answers").fill("camera");
  await page.keyboard.press("Enter");
  await expect(page.getByText("One answer to “camera”")).toBeVisible();
  await expect(page.getByText("You need a phone or computer with a camera")).toBeVisible();
});

test("choosing a rank by keyboard updates the sentence and rings the seat", async ({ page }) => {
  await page.goto(landing);
  const rank = page.locator("#rank");
  const slider = rank.getByRole("slider", { name: "Choose a rank" });
  const output = rank.locator("output");
  await expect(output).toHaveText(
    "Rank 251 pays ₹4,51,499 in all: the exam fee now, then ₹4,50,000 tuition if you join. The internship is included, the job guarantee is not.",
  );
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(output).toHaveText("Rank 250 pays ₹1,499 in all: the exam fee now, and no tuition for eight months.");
  await page.keyboard.press("End");
  await expect(output).toHaveText(
    "Rank 325 pays ₹4,51,499 in all: the exam fee now, then ₹4,50,000 tuition if you join. The internship is included, the job guarantee is not.",
  );
  await slider.fill("251");
  await expect(slider).toHaveAttribute("aria-valuetext", /^Rank 251 pays ₹4,51,499 in all/);
  // The position of the first rank without a seat.
  await expect(rank.locator(".is-current")).toHaveAttribute("class", "is-current seats-none");
  const away = await rank.locator(".seats").evaluate((seats: SVGSVGElement) => {
    const [group, ring] = [
      seats.querySelector<SVGGElement>(".seats-none"),
      seats.querySelector<SVGGElement>(".is-current"),
    ];
    const [seat, at] = [group?.getScreenCTM(), ring?.getScreenCTM()];
    return seat && at ? Math.hypot(seat.e - at.e, seat.f - at.f) : undefined;
  });
  expect(away).toBe(0);
});

test("the film opens over the page, plays, and stops when closed", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(landing);
  const video = page.locator("video");
  await expect(video).toBeHidden();
  expect(asked.filter((url) => /explainer.*\.(webp|webm|mp4)/.test(url))).toEqual([]); // nothing loads before the film is opened
  await page.getByRole("button", { name: "Play: HireSure in one minute" }).click();
  await expect(page.getByRole("dialog", { name: "HireSure in one minute" })).toBeVisible();
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => !film.paused)).toBe(true);
  await page.getByText("Read what it says").click();
  await expect(page.getByText("The line ends where you start work.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(video).toBeHidden();
  await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.paused)).toBe(true);
});

test("every promise of the guarantee links to its conditions", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" }); // the next press would meet a page that still scrolls smoothly
  await page.goto(landing);
  const answer = page.locator("#guarantee");
  const links = await page.getByRole("link", { name: "Conditions", exact: true }).all();
  expect(links.length).toBe(3);
  for (const link of links) {
    await link.click();
    await expect(answer).toBeInViewport();
  }
});

for (const address of [landing, "/apply/hiresure-mgrow-2025"])
  test(`Apply Now goes to the form on the page: ${address}`, async ({ page }) => {
    await page.goto(address);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      if (width === 360 && address !== landing) break; // no button, because the form is in the first screen
      await page.getByRole("link", { name: "Apply Now", exact: true }).first().click();
      await expect(page).toHaveURL(/#enrol$/);
      await expect(page.getByRole("form", { name: "Enrolment" })).toBeInViewport();
      await expect(page.getByLabel("Full name", { exact: true })).toBeFocused();
      await expect(page.getByLabel("Full name", { exact: true })).toBeInViewport({ ratio: 1 });
      await page.getByLabel("Full name", { exact: true }).blur();
    }
  });

test("the first screen shows the exam, the day, the cost and the button", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(landing);
  const hero = page.locator(".hero-copy");
  for (const part of [
    hero.getByRole("heading", { level: 1 }),
    hero.getByText("14 March"),
    hero.getByText("Exam fee, taxes included"),
    hero.getByRole("link", { name: "Apply Now", exact: true }),
  ])
    await expect(part).toBeInViewport({ ratio: 1 });
});

test("the apply page has the form in a phone's first screen", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [address, ratio] of [
    [landing, 0],
    ["/apply/hiresure-mgrow-2025", 1],
  ] as const) {
    await page.goto(address);
    const heading = page.getByRole("heading", { name: "Let's Get You Enrolled" });
    if (ratio) await expect(heading).toBeInViewport({ ratio });
    else await expect(heading).not.toBeInViewport();
    await expect(page.getByText("Exam fee, taxes included").first()).toBeInViewport();
  }
});

test("next to a form whose payment was pressed early the first screen's text stays in view", async ({
  page,
  enrolment,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await enrolment.open();
  await enrolment.press("PROCEED TO PAY");
  await expect(enrolment.toDo).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
});

test("a phone's page is short, and a coupon lengthens it by a line", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const [address, words, height] of [
    [landing, 900, 8600],
    [`${landing}?couponCode=MGROW500`, 910, 8600],
  ] as const) {
    await page.goto(address);
    // biome-ignore lint/performance/useDomNodeTextContent: what is not rendered does not count
    const text = await page.getByRole("main").evaluate((main) => (main as HTMLElement).innerText);
    expect(text.split(/\s+/).filter(Boolean).length, `${address}: words`).toBeLessThanOrEqual(words);
    expect(await page.evaluate(() => document.documentElement.scrollHeight), address).toBeLessThanOrEqual(height);
  }
});

test("Apply Now of a course selects it in the form, from a phone's bar and a desktop's ticket", async ({ page }) => {
  const places = { 360: "bar", 1280: "ticket" };
  for (const [width, place] of Object.entries(places)) {
    await page.setViewportSize({ width: Number(width), height: 740 });
    await page.goto(landing);
    await page.getByRole("link", { name: "Data Analytics", exact: true }).click();
    await expect(page).toHaveURL(`${landing}/courses/data-analytics`);
    const apply = page.getByRole("link", { name: "Apply Now", exact: true });
    for (const id of ["weeks", "questions"]) {
      await page.locator(`#${id}`).evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
      await expect(apply, `${place} at ${id}`).toBeInViewport({ ratio: 1 });
    }
    await apply.click();
    await expect(page.getByRole("form", { name: "Enrolment" })).toBeInViewport();
    await expect(page.getByLabel("Course", { exact: true })).toHaveValue("Data_Analytics");
  }
});

test("the skip link jumps over the bar", async ({ page }) => {
  await page.goto(landing);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a phone's bottom bar hides during an enquiry", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  const bar = page.locator(".sticky-bar");
  await expect(bar).toBeHidden(); // the first screen's button is visible
  const place = await unfoldEnquiry(page);
  await expect(bar).toBeVisible();
  await place.getByLabel("Your full name").focus();
  await expect(bar).toBeHidden();
  await place.getByLabel("Your full name").blur();
  await expect(bar).toBeVisible();
});

test("the link to the form stays in view on a desktop too", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  const bar = page.locator(".sticky-bar");
  await expect(bar).toBeHidden();
  await page.locator("#courses").scrollIntoViewIfNeeded();
  await bar.getByRole("link", { name: "Apply Now", exact: true }).click();
  await expect(page.getByLabel("Full name", { exact: true })).toBeInViewport();
  await expect(bar).toBeHidden();
});

test("a phone's bottom bar does not cover the list of countries", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(landing);
  await (await unfoldEnquiry(page)).getByLabel("Your full name").focus();
  const country = page.getByRole("combobox", { name: "Country" });
  await expect(country).toHaveValue("India (+91)");
  await country.evaluate((input) => scrollBy(0, input.getBoundingClientRect().top - 550)); // scrolls it low on the screen
  await country.click();
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
  const list = page.locator("#contact").getByRole("listbox");
  const listEnd = async () => (await top(list)) + (await list.evaluate(({ clientHeight }) => clientHeight));
  const bar = await top(page.locator(".sticky-bar"));
  expect(bar).toBeGreaterThan(600);
  await expect.poll(listEnd).toBeLessThanOrEqual(bar);
});

test.describe("at every width", () => {
  const widths = [320, 360, 480, 768, 1024, 1280, 1440];
  const sides = (place: Locator) =>
    place.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return [Math.round(left), Math.round(right)];
    });

  test("a code is as wide as the button below it", async ({ page, enrolment }) => {
    await enrolment.open();
    await enrolment.giveDetails();
    await enrolment.sendCode();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const button = enrolment.at("otp").getByRole("button", { name: "Verify" });
      expect(await sides(page.locator(".code")), `${width} px`).toEqual(await sides(button));
    }
  });

  test("an enquiry shows a number with +91 in full, next to its country from 360 px", async ({ page }) => {
    await page.goto(landing);
    const place = await unfoldEnquiry(page);
    const number = place.getByLabel("Mobile number");
    const country = place.getByLabel("Country");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (!(await number.isVisible())) await unfoldEnquiry(page);
      await number.fill("+91 98765 43210");
      const hidden = await number.evaluate((input) => input.scrollWidth - input.clientWidth);
      expect(hidden, `${width} px, the number`).toBe(0);
      const tops = () => Promise.all([number, country].map(async (field) => (await field.boundingBox())?.y));
      const sideBySide = async () => new Set(await tops()).size === 1; // polled, because scrolling may still move one
      await expect.poll(sideBySide, `${width} px, side by side`).toBe(width >= 360);
    }
  });
});
