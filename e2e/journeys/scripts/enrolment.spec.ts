// The enrolment form with scripts.
import { Enrolment, landing, mobile } from "../../enrolment.ts";
import { answer, expectOutcome, payButton } from "../../outcomes.ts";
import { unfoldEnquiry } from "../../states.ts";
import { expect, test } from "../../test.ts";

test("input, choices and focus from before hydration stay", async ({ page, enrolment }) => {
  let arrive = () => {};
  const slow = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/static\/enrolment-.*\.js$/, async (route) => {
    await slow;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/static\/enrolment-/);
  await page.goto(landing);
  await enrolment.field("Full name").fill("Asha Verma");
  await asked;
  await enrolment.field("E-mail").pressSequentially("asha@exam");
  await enrolment.field("E-mail").evaluate((input: HTMLInputElement) => {
    input.dataset.same = "yes"; // lost if React replaced the element
  });
  arrive();
  await enrolment.hydrated();
  await expect(enrolment.field("E-mail")).toBeFocused();
  await page.keyboard.type("ple.com"); // the caret has not moved
  await expect(enrolment.field("E-mail")).toHaveValue("asha@example.com");
  await expect(enrolment.field("E-mail")).toHaveAttribute("data-same", "yes");
  await expect(enrolment.field("Full name")).toHaveValue("Asha Verma");
  await expect(enrolment.form.locator(".enrol-lines")).toContainText("Asha Verma");
});

test("a name typed after a reload, before scripts have loaded, is complete", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  let arrive = () => {};
  const slow = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/static\/.*\.js$/, async (route) => {
    await slow;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  const name = enrolment.field("Full name");
  await name.fill(""); // in case the browser has restored it
  await name.pressSequentially("Asha Ku");
  arrive();
  await enrolment.hydrated();
  await page.keyboard.type("mari Verma");
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Asha Kumari Verma");
  await expect(enrolment.form.locator(".enrol-lines")).toContainText("Asha Kumari Verma");
  await enrolment.goOn("Who is taking the exam?");
  await expect(enrolment.row("you")).toContainText("Asha Kumari Verma");
  await expect(enrolment.row("you")).toContainText(enrolment.person.email);
});

test("continuing before the form's script has loaded focuses the next step", async ({
  page,
  person,
  enrolment,
  faults,
}) => {
  faults.allow(/ERR_FAILED .*enrolment-/);
  await page.route(/\/static\/enrolment-.*\.js$/, (route) => route.abort());
  await page.goto(landing);
  const focused = page.locator(":focus");
  await enrolment.field("Full name").fill(person.name);
  await enrolment.field("E-mail").fill(person.email);
  await enrolment.goOn("Who is taking the exam?");
  await expect(enrolment.field("Mobile number")).toBeFocused();
  await expect(focused).toBeInViewport();
  await enrolment.to("you");
  await expect(enrolment.field("Full name")).toBeFocused();
  await page.unrouteAll();
  await enrolment.field("E-mail").press("Tab"); // loads the script again, which hydrates the form
  await enrolment.hydrated();
  await expect(enrolment.field("Full name")).toHaveValue(person.name);
  await expect(enrolment.form.getByRole("link", { name: /^Privacy notice/ }).first()).toBeFocused();
});

test("a reload while waiting for the code loses nothing @long", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await enrolment.field("OTP").pressSequentially("12");
  await page.reload(); // without touching the form
  await expect(enrolment.field("OTP")).toHaveValue("");
  await expect(enrolment.form.getByText(/^[0-9]+ s$/)).toBeVisible();
  await expect(enrolment.field("Full name")).toHaveValue(person.name);
  await expect(enrolment.field("E-mail")).toHaveValue(person.email);
  await expect(enrolment.field("Mobile number")).toHaveValue(person.phone);
  await enrolment.giveCode(await person.code());
  await enrolment.expectVerified();
  expect(await person.mails()).toHaveLength(1);
});

test("a reload after verification and a coupon continues to payment", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.applyCoupon("MGROW500");
  await expect(enrolment.price).toContainText("₹999");
  await page.goto("/legal/terms"); // leaves, then returns by the form's address
  await page.goto(landing);
  await enrolment.expectVerified();
  await expect(enrolment.price).toContainText("₹999");
  await expect(enrolment.row("consent")).toContainText("I am 18 or older");
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(await kept()).toContain(person.phone);
  await page.getByRole("button", { name: payButton }).click();
  await expectOutcome(page, "paid");
  await expect.poll(kept).toBe("[]");
});

test("signing out of a shared browser leaves nothing in it", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(1);
  await person.at("enrolled");
  await page.goto("/pay");
  await page.getByRole("button", { name: "Not you? Log out" }).click();
  await expect(page).toHaveURL(landing);
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0]);
  await enrolment.takenOver();
  await expect(enrolment.field("Full name")).toHaveValue("");
  await expect(enrolment.field("Mobile number")).toHaveValue("");
});

test("another tab starts with an empty form @long", async ({ context, page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  const second = new Enrolment(await context.newPage(), person, true);
  await second.open();
  await expect(second.field("Full name")).toHaveValue("");
  await expect(enrolment.field("Full name")).toHaveValue(person.name);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(1);
});

test("a keyboard is enough to enrol", async ({ page, person, enrolment }) => {
  await enrolment.open();
  const reach = async (label: string) => {
    await expect(async () => {
      await page.keyboard.press("Tab");
      await expect(enrolment.form.getByLabel(label, { exact: true })).toBeFocused({ timeout: 50 });
    }, `reach ${label}`).toPass({ intervals: [0] });
  };
  await page.keyboard.type(person.name);
  await reach("E-mail");
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter"); // folds the step and focuses the next one
  await expect(enrolment.field("Mobile number")).toBeFocused();
  await page.keyboard.type(person.phone);
  await page.keyboard.press("Enter"); // sends the code and focuses its field
  await expect(enrolment.field("OTP")).toBeFocused();
  await page.keyboard.type(await person.code());
  await enrolment.expectVerified();
  await expect(enrolment.field("Course")).toBeFocused();
  await page.keyboard.type("Data");
  await reach("State");
  await page.keyboard.type("Kerala");
  const goOn = enrolment.form.getByRole("button", { name: "Continue" });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(goOn).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press("Enter");
  await expect(enrolment.field("I am 18 or older")).toBeFocused();
  await page.keyboard.press("Space");
  const terms = enrolment.form.getByRole("checkbox", { name: "I agree to the Terms & conditions" });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(terms).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter"); // in a complete form Enter continues to payment
  await expect(page).toHaveURL(/\/checkout\//);
  const pay = page.getByRole("button", { name: payButton });
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(pay).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press("Enter");
  await expectOutcome(page, "paid");
});

test("fields are requested in order", async ({ enrolment }) => {
  await enrolment.open();
  await enrolment.goOn("Who is taking the exam?");
  await enrolment.expectError(enrolment.field("Full name"), "Full name is required.");
  await expect(enrolment.field("Full name")).toBeFocused();
  await enrolment.field("E-mail").fill("asha@example.com");
  await enrolment.field("Full name").focus();
  await enrolment.expectError(enrolment.field("E-mail"), "Please enter full name.");
  await expect(enrolment.field("Mobile number")).toBeHidden();
});

test("a referral code is checked when its field is left", async ({ enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.unfold("College or referral code");
  const code = enrolment.optional("Referral code");
  await code.fill("NOBODY");
  await code.blur();
  await enrolment.expectError(code, "Invalid referral code. Please check and try again.");
  await code.fill("setu2025");
  await code.blur();
  await expect(enrolment.at("referral_code")).toContainText("Applied");
  await expect(code).not.toHaveAttribute("aria-invalid", "true");
});

test("Back from the checkout shows a working form", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.complete();
  await expect(page).toHaveURL(/\/checkout\//);
  await page.goBack();
  await expect(enrolment.form.getByRole("button", { name: "PROCEED TO PAY" })).not.toHaveAttribute("aria-busy", "true");
  await expect(enrolment.field("Full name")).toHaveValue(enrolment.person.name);
});

test("a visitor who returns without having paid is sent to pay", async ({ page, enrolment }) => {
  await enrolment.open();
  await expect(enrolment.form).not.toContainText("not received your payment");
  await enrolment.complete();
  await expect(page).toHaveURL(/\/checkout\//);
  await page.goBack();
  await expect(enrolment.form).toContainText("We have not received your payment yet.");
  await expect(enrolment.field("Full name")).toHaveValue(enrolment.person.name); // kept until payment
  await enrolment.expectVerified();
  const headline = page.getByRole("heading", { level: 1 });
  await page.goto(landing);
  await expect(headline).toHaveText("Your payment is open, Asha");
  await expect(enrolment.form).toHaveCount(0);
  await page.locator("#enrol").getByRole("link", { name: "See the payment" }).click();
  await expectOutcome(page, "pending");
  await page.getByRole("link", { name: "open the payment again" }).click();
  await answer(page, "Fail");
  await expectOutcome(page, "failed");
  await page.goto(landing);
  await expect(headline).toHaveText("Your payment did not go through, Asha");
  await page.locator("#enrol").getByRole("link", { name: "Continue to pay" }).click();
  await page.getByRole("button", { name: "Try again" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  await page.goto(landing);
  await expect(headline).toHaveText("You are enrolled, Asha");
  await expect(page.getByRole("main")).not.toContainText("Continue to pay");
  await expect(page.getByRole("main")).not.toContainText("Apply Now");
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test("a lost connection and its return are announced, and input stays", async ({
  page,
  context,
  enrolment,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await enrolment.open();
  await enrolment.giveDetails();
  await context.setOffline(true);
  await enrolment.press("Send code", enrolment.at("phone_number"));
  await expect(enrolment.form).toContainText("Not sent: you are offline. Please try again once you are online.");
  await expect(page.getByText("You are offline. What you typed is kept.")).toBeInViewport();
  await expect(enrolment.field("Full name")).toHaveValue(enrolment.person.name);
  await context.setOffline(false);
  await enrolment.sendCode();
  await expect(enrolment.form).toContainText(`Code sent to ${mobile(enrolment.person.phone)}.`);
});

test("a pending page becomes a success without a press", async ({ page, person }) => {
  await person.at("pending");
  await page.goto(`/success?kspay_id=${person.payment}`);
  await expectOutcome(page, "pending");
  await person.press("paid");
  await expectOutcome(page, "paid");
});

test("a success opens the next page after 5 seconds, unless the visitor stays", async ({ page, person }) => {
  await person.at("paid");
  await page.goto(`/success?kspay_id=${person.payment}`);
  await expect(page.getByText(/Your programme page opens in [1-5] s/).first()).toBeVisible();
  await expect(page).toHaveURL(landing, { timeout: 10_000 });
  await page.clock.install();
  await page.goto(`/success?kspay_id=${person.payment}`);
  await page.getByRole("button", { name: "Stay" }).dispatchEvent("click"); // a scroll to it would hide it
  await page.clock.runFor(60_000);
  await expectOutcome(page, "paid");
  await expect(page.getByText(/Your programme page, with this ticket/)).toBeHidden();
  await expect(page.getByRole("button", { name: "Stay" })).toBeHidden();
});

test("what a choice unfolds leaves the choice in its place", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.field("Course").selectOption("Data Analytics");
  await enrolment.field("State").selectOption("Maharashtra");
  await enrolment.goOn("What do you want to be good at?");
  const minor = enrolment.field("I am under 18");
  await minor.scrollIntoViewIfNeeded();
  const before = await minor.boundingBox();
  const height = () => page.evaluate(() => document.body.scrollHeight);
  const low = await height();
  await minor.check();
  await expect.poll(height).toBeGreaterThan(low + 500);
  expect(await minor.boundingBox()).toEqual(before);
});

test("repeated presses start one payment", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`);
  await page.getByRole("button", { name: payButton }).dblclick();
  await expectOutcome(page, "paid");
  await page.goto("/pay");
  await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
});

test("the country of an enquiry can be searched, and its rule checks the number", async ({ page }) => {
  await page.goto(landing);
  const form = await unfoldEnquiry(page);
  await form.getByLabel("Your full name").fill("Asha Verma");
  const country = form.getByRole("combobox", { name: "Country" });
  await expect(country).toHaveValue("India (+91)");
  await country.fill("singa");
  await form.getByRole("option", { name: "Singapore (+65)" }).click();
  await expect(country).toHaveValue("Singapore (+65)");
  await form.getByLabel("Mobile number").fill("123");
  await form.getByLabel("Message").focus();
  await expect(form.getByLabel("Mobile number")).toHaveAccessibleDescription(/Phone number must be exactly 8 digits\./);
  await form.getByLabel("Mobile number").fill("81234567");
  await expect(form.getByLabel("Mobile number")).not.toHaveAttribute("aria-invalid", "true");
  await country.fill("+971");
  await expect(form.getByRole("option").first()).toHaveText("United Arab Emirates (+971)");
  await country.press("ArrowDown");
  await country.press("Enter");
  await expect(country).toHaveValue("United Arab Emirates (+971)");
});
