// Special cases of a payment. Each journey starts at the first step that matters.
import { landing } from "../enrolment.ts";
import { answer, expectOutcome, payButton, reloadUntil } from "../outcomes.ts";
import { expect, test } from "../test.ts";

test("two tabs pay once @long", async ({ context, page, person }) => {
  await person.at("enrolled");
  await page.goto("/pay");
  await page.getByRole("button", { name: "Pay ₹" }).click();
  const second = await context.newPage();
  await second.goto("/pay");
  await second.getByRole("button", { name: "Continue to pay" }).click();
  await expect(second).toHaveURL(/\/checkout\//);
  expect(second.url()).toBe(page.url());
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  await answer(second, "Fail"); // too late
  await expectOutcome(second, "paid");
  await second.goto("/pay");
  await expect(second.getByText("There is nothing more to pay.")).toBeVisible();
  await expect(second.getByRole("button", { name: /pay|try again/i })).toHaveCount(0); // no button pays again
  await person.mail("You are enrolled: ");
  expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
});

test("the details can be changed before payment @once", async ({ page, person, enrolment }) => {
  await person.at("enrolled", "MGROW500");
  await page.goto("/pay");
  await page.getByRole("link", { name: "Change what you typed" }).click();
  await expect(enrolment.field("Full name")).toHaveValue(person.name);
  await expect(enrolment.field("State")).toHaveValue("Maharashtra");
  await enrolment.expectVerified();
  await expect(enrolment.price).toContainText("999");
  await enrolment.takenOver();
  await enrolment.to("course");
  await enrolment.field("State").selectOption("Karnataka");
  await enrolment.goOn("What do you want to be good at?");
  await enrolment.agree();
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
  await page.goto("/pay");
  await expect(page.getByRole("main").getByText("Karnataka")).toBeVisible();
  await expect(page.locator(".pay-amount-figure")).toContainText("999");
});

test("a coupon added during an open payment applies to the next, after the price is shown @once", async ({
  page,
  person,
  enrolment,
}) => {
  await person.at("checkout");
  await page.goto("/pay");
  await page.getByRole("link", { name: "Change what you typed" }).click();
  await enrolment.applyCoupon("MGROW500");
  await expect(enrolment.price).toContainText("999");
  await enrolment.agree();
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/pay(#|$)/);
  await expect(page.locator(".pay-amount-figure")).toContainText("1,499");
  await expect(page.getByText("This payment does not include the coupon MGROW500.")).toBeVisible();
  await page.getByRole("button", { name: "Continue to pay" }).click();
  await answer(page, "Fail");
  await expectOutcome(page, "failed");
  await page.goto("/pay");
  await expect(page.locator(".pay-amount-figure")).toContainText("999");
  await page.getByRole("button", { name: "Try again" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  await expect(page.locator(".exam-ticket-amount")).toContainText("Amount paid ₹999.00");
});

test("a paid result stays paid after reload, back and forward @once", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`);
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  await page.reload();
  await expectOutcome(page, "paid");
  await page.goBack(); // the checkout is over
  await expectOutcome(page, "paid");
  await person.mail("You are enrolled: ");
  expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
});

test("another browser sees the status but nothing about the person @once", async ({ person, another }) => {
  await person.at("paid");
  const { page } = await another();
  await page.goto(`/success?kspay_id=${person.payment}`);
  await expectOutcome(page, "paid");
  await expect(page.getByText(person.name)).toHaveCount(0);
  await page.goto(`/success?txId=${person.payment}`);
  await expectOutcome(page, "paid");
  await page.goto(`/checkout/${person.payment}`); // the checkout's address shows the result too
  await expectOutcome(page, "paid");
  await page.goto(`/checkout/${person.payment}/receipt`);
  await expect(page.getByText(person.name)).toHaveCount(0);
});

test("parameters in the address are not trusted @long", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/success?kspay_id=${person.payment}&payment_status=Success&provider_payment_id=pay_1`);
  await expectOutcome(page, "pending");
  await page.goto("/success?kspay_id=nobody&payment_status=Success");
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText(/enrolled|arrived/);
});

test("a failed payment that arrives late is paid @long", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`);
  await answer(page, "Fail now, be paid a little later");
  await expectOutcome(page, "failed");
  await reloadUntil(page, "paid", 40_000);
  const mail = await person.mail("You are enrolled: your bank confirmed late");
  expect(mail.body).toContain("Did you pay again in between?");
});

test("the payer opens receipt and invoice from the result @once", async ({ page, person }) => {
  await person.at("paid");
  await page.goto(`/success?kspay_id=${person.payment}`);
  const invoice = page.getByRole("link", { name: "Tax invoice" });
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(person.name);
  await invoice.click();
  await expect(page.getByRole("main")).toContainText("Original for recipient");
  await expect(page.getByRole("main")).toContainText("One Thousand Four Hundred");
});

test("the landing page greets a payer until the browser is signed out @once", async ({ page, person, browser }) => {
  await person.at("paid");
  const headline = page.getByRole("heading", { level: 1 });
  await page.goto("/"); // redirects to the event
  await expect(headline).toHaveText("You are enrolled, Asha");
  const number = (await page.locator(".exam-ticket-code").textContent()) ?? "";
  expect(number).toMatch(/^HS26-[0-9A-Z]{4,5}-[0-9A-Z]$/);
  await expect(page.getByRole("main")).not.toContainText("Apply Now");
  await expect(page.getByRole("main")).not.toContainText("PROCEED TO PAY");
  const elsewhere = await browser.newPage();
  await elsewhere.goto(new URL(await person.ticket(), page.url()).href); // as if another phone scanned the code
  await expect(elsewhere.getByText(number)).toBeVisible();
  await elsewhere.goto(new URL(landing, page.url()).href);
  await expect(elsewhere.getByRole("main")).toContainText("PROCEED TO PAY");
  await elsewhere.close();
  await page.getByRole("link", { name: "Receipt and invoice" }).click();
  await expect(page.getByRole("link", { name: "Tax invoice" })).toBeVisible();
  await page.goto(landing);
  await page.getByRole("button", { name: "Not you? Log out" }).click();
  await expect(page.getByRole("main")).toContainText("PROCEED TO PAY");
  await expect(page.getByRole("main")).not.toContainText(person.name);
});

test("the landing page sends an unpaid visitor to pay, and accepts a coupon @once", async ({
  page,
  person,
  enrolment,
}) => {
  await person.at("enrolled");
  await page.goto(landing);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One step is left, Asha");
  await expect(page.locator("#enrol .price")).toContainText("₹1,499");
  await page.getByRole("link", { name: "Change what you typed" }).click();
  await enrolment.applyCoupon("MGROW500");
  await expect(enrolment.price).toContainText("999"); // a press before this would only say to wait
  await enrolment.agree();
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
  await page.goto(landing);
  await expect(page.locator("#enrol .price")).toContainText("₹999");
  await page.locator("#enrol").getByRole("link", { name: "See the payment" }).click();
  await expect(page).toHaveURL(/\/success\?kspay_id=/);
});

test("the landing page shows the status of a pending payment @long", async ({ page, person }) => {
  await person.at("failed");
  await page.goto(landing);
  const headline = page.getByRole("heading", { level: 1 });
  await expect(headline).toHaveText("Your payment did not go through, Asha");
  await person.startPayment();
  await person.press("wrong_amount");
  await page.goto(landing);
  await expect(headline).toHaveText("Your payment is being checked, Asha");
  await expect(page.getByRole("main")).toContainText("Do not pay again.");
  await expect(page.getByRole("link", { name: /Continue to pay|Try again/ })).toHaveCount(0);
  await page.locator("#enrol").getByRole("link", { name: "Status and help" }).click();
  await expectOutcome(page, "checked");
});

test("an unknown event redirects to the current one @long", async ({ page }) => {
  await page.goto("/scholarship/no-such-event");
  await expect(page).toHaveURL(/\/scholarship$/);
  await expect(
    page.getByText("Let’s Get You Enrolled").or(page.getByText("Let's Get You Enrolled")).first(),
  ).toBeVisible();
});

test("unknown addresses redirect home @long", async ({ page }) => {
  await page.goto("/no/such/page");
  await expect(page).toHaveURL("/hiresure");
  for (const address of ["/pay", "/success"]) {
    await page.goto("/hiresure");
    await page.goto(address);
    await expect(page).toHaveURL("/account/sign-in?next=%2Fpay");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Continue to pay");
  }
});

test("a forged mail link opens nothing @long", async ({ page }) => {
  for (const address of ["/receipt/forged", "/invoice/forged"]) {
    const answered = await page.goto(address);
    expect(answered?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText("₹");
  }
});
