// A page under a browser's translator still updates all its texts.
import { Application, answers } from "../../application.ts";
import { chooseFile, pdf, picture, row } from "../../document-states.ts";
import { answer, expectOutcome, payButton } from "../../outcomes.ts";
import { expect, test } from "../../test.ts";
import { translates } from "../../translator.ts";
import { opens } from "../../uploads.ts";

test.beforeEach(({ page }) => translates(page));

test("the enrolment, its checkout and outcome", async ({ page, person, enrolment }) => {
  const { form } = enrolment;
  const heard = form.getByRole("status");
  await enrolment.open();
  await expect(form.locator("font").first()).toBeAttached();
  await expect(form.locator(".enrol-lines dd")).toHaveText(["Not filled in", "Not chosen"]);
  await enrolment.field("E-mail").fill("asha@");
  await enrolment.field("Full name").focus();
  await expect(enrolment.at("email").locator(".error")).toBeVisible();
  await enrolment.giveDetails();
  await expect(form.locator(".enrol-lines dd")).toHaveText([person.name, "Not chosen"]);
  await expect(enrolment.row("you")).toHaveText(new RegExp(`${person.name}\\s*${person.email}`));
  await enrolment.sendCode();
  await expect(form.locator(".notice", { hasText: "Code sent to " })).toBeVisible();
  await expect(heard).toContainText("Code sent to");
  await enrolment.giveCode(await person.code());
  await enrolment.expectVerified();
  await expect(form.getByText("Code sent to")).toHaveCount(0);
  await expect(heard).toHaveText("Mobile number verified.");
  await enrolment.choose();
  await expect(form.locator(".enrol-lines dd")).toHaveText([person.name, "Data Analytics"]);
  await enrolment.applyCoupon("MGROW500");
  await expect(form.locator(".fee")).toHaveText("₹999");
  await expect(heard).toHaveText("Coupon applied: ₹500 off. You pay ₹999.");
  await enrolment.press("Remove coupon MGROW500");
  await expect(form.locator(".fee")).toHaveText("₹1,499");
  await enrolment.applyCoupon("NOSUCHCODE");
  await expect(enrolment.at("coupon_code").locator(".error")).toBeVisible();
  await enrolment.applyCoupon("MGROW500");
  await expect(form.locator(".fee")).toHaveText("₹999");
  await expect(form.locator(".error")).toHaveCount(0);
  await enrolment.proceedToPay();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});

test("the application, step by step @long", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  await form.open("personal");
  await form.takenOver();
  await form.field("Pin Code").fill("12");
  await form.field("Address").focus();
  await expect(page.locator("#e-zip")).toHaveText("Enter a valid 6-digit pin code");
  await form.press("NEXT");
  await expect(page.locator(".error-summary h2")).toHaveText("6 answers to correct");
  await expect(page.locator(".rail .rail-step b").last()).toHaveText("6 answers to correct");
  await form.fillPersonal();
  await expect(page.locator("#e-zip")).toHaveCount(0);
  await expect(page.locator(".rail .saved")).toContainText(/Saved \d\d:\d\d/);
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/academic");
  await form.takenOver();
  await form.fillAcademic();
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await form.takenOver();
  await form.fillScholarship();
  await expect(page.locator(".count").first()).toHaveText(`${answers.scholarship.details?.length} of 200`);
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/review");
});

test("the documents with their progress", async ({ page, person }) => {
  await opens(page, person);
  await chooseFile(page, "Student ID", picture("id.jpg"), true);
  await expect(row(page, "Student ID")).toContainText("Uploaded");
  await expect(row(page, "Student ID")).not.toContainText(/%|Being checked/);
  await chooseFile(page, "Last Academic Marksheet", pdf("marks.pdf", 40), true);
  await expect(row(page, "Marksheet")).toContainText("Uploaded");
  await expect(page.locator("h1")).toContainText("One document to go");
});

test("the checkout, whose button shows progress @long", async ({ page, person }) => {
  await person.at("checkout");
  await page.goto(`/checkout/${person.payment}`);
  await page.getByRole("button", { name: payButton }).waitFor();
  await page.getByText("More outcomes").click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});
