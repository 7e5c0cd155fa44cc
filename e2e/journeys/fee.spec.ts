// Payment of an application, until its documents.
import { Application } from "../application.ts";
import { agreed, pays } from "../fee-states.ts";
import { answer, expectOutcome, payButton, reloadUntil } from "../outcomes.ts";
import { SignIn } from "../signin.ts";
import { expect, test } from "../test.ts";

const fee = "/hiresure/payment";

test("an application is submitted and paid, and opens its documents", async ({ page, person, scripts }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(3);
  await page.goto("/hiresure/form/review");
  await page.getByRole("checkbox", { name: /^I agree to the/ }).check();
  await form.press("SUBMIT");
  await expect(page).toHaveURL(fee);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Step 5 of 6: Payment");
  await page.getByRole("button", { name: "Pay ₹" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  await expect(page).toHaveURL(new RegExp(`^[^?]*${fee}\\?.*kspay_id=`));
  if (scripts) await expect(page).toHaveURL("/hiresure/upload-doc", { timeout: 15_000 });
  else await page.getByRole("link", { name: "Upload Documents" }).click();
  await expect(page.getByRole("heading", { name: "Three documents, a fourth if you have it" })).toBeVisible();
  const mail = await person.mail("Paid: HireSure Scholarship");
  expect(mail.body).toContain("/hiresure/upload-doc");
  expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
  await page.goto(fee); // a paid fee is not requested again
  await expect(page).toHaveURL("/hiresure/upload-doc");
  await page.goto("/hiresure");
  await page.getByRole("link", { name: "Upload Doc" }).click();
  await page.goto("/hiresure/registration");
  await page.getByRole("link", { name: "View Details" }).click();
  await expect(page.getByText("Documents Pending")).toBeVisible();
  const fold = page.locator("summary", { hasText: "Payment" }); // folded on a phone
  if (await fold.evaluate((it) => getComputedStyle(it).pointerEvents !== "none")) await fold.click();
  await page.getByRole("link", { name: "Open the receipt" }).click();
  await expect(page.getByRole("main")).toContainText("Application fee");
  await page.getByRole("link", { name: "Tax invoice", exact: true }).click();
  await expect(page.getByRole("main")).toContainText("Application fee – HireSure Scholarship");
});

test("an application's pending payment becomes paid without a press @once", async ({ page, person }) => {
  await person.at("signed up");
  await agreed(page, person);
  await page.goto(fee);
  await page.getByRole("button", { name: "Pay ₹" }).click();
  person.payment = page.url().split("/").pop() ?? "";
  await answer(page, "Leave pending");
  await expectOutcome(page, "pending");
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await person.press("paid"); // the bank confirms the payment
  await expectOutcome(page, "paid"); // without scripts the page polls too
});

test("an application's failed payment is retried @once", async ({ page, person }) => {
  await person.at("signed up");
  await agreed(page, person);
  await page.goto(fee);
  await page.getByRole("button", { name: "Pay ₹" }).click();
  await answer(page, "Fail");
  await expectOutcome(page, "failed");
  await page.getByRole("link", { name: "My Registrations" }).click();
  await page.getByRole("link", { name: "Pay Now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your payment did not go through");
  await page.goBack();
  await page.goBack();
  await expectOutcome(page, "failed");
  await page.getByRole("button", { name: "Try again" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});

test("an application's failed payment that arrives late is paid @long", async ({ page, person }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "late");
  await page.goto(`${fee}?kspay_id=${person.payment}`);
  await expectOutcome(page, "failed");
  await reloadUntil(page, "paid", 40_000);
});

test("another person's application payment is not found @once", async ({ page, person, another }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  const other = await another();
  other.person.name = "Bela Iyer"; // her own is in the bar
  await other.person.at("signed up");
  await other.page.goto(`${fee}?kspay_id=${person.payment}`);
  await expect(other.page.getByRole("heading", { level: 1 })).toHaveText("We cannot find this payment");
  await expect(other.page.getByText(person.name)).toHaveCount(0);
});

test("a payer signed out during payment signs in and sees the outcome @once", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await person.forget();
  if (!scripts) await person.at("human");
  await page.goto(`${fee}?kspay_id=${person.payment}`);
  await expect(page).toHaveURL(/\/account\/sign-in\?next=/);
  const signIn = new SignIn(page, person, scripts);
  await signIn.askFor(person.phone);
  await signIn.give(await person.newCode());
  await expectOutcome(page, "paid");
});
