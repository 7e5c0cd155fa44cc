// The human check without scripts: a page with one button.
import { landing } from "../../enrolment.ts";
import { unfoldEnquiry } from "../../states.ts";
import { expect, test } from "../../test.ts";

const heading = "One more step";
const ripe = 3000; // ms; minimum age of the page's ticket

test("the check comes between the first press and the code and keeps the input", async ({
  page,
  person,
  enrolment,
}) => {
  await page.goto(landing);
  await enrolment.giveDetails();
  await enrolment.press("Send code", enrolment.at("phone_number"));
  await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  expect(await person.mails()).toEqual([]);
  const shown = Date.now();
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(ripe + 1000);
  await page.getByRole("button", { name: "I am a person, continue" }).click();
  await expect(enrolment.field("OTP")).toBeVisible();
  await expect(enrolment.field("Full name")).toHaveValue(person.name);
  await expect(enrolment.field("E-mail")).toHaveValue(person.email);
  await enrolment.giveCode(await person.code());
  await enrolment.choose();
  await enrolment.proceedToPay(); // the check stays passed
  await expect(page).toHaveURL(/\/checkout\//);
});

test("pressing too early shows a wait and keeps the input", async ({ page, person }) => {
  await page.goto(landing);
  const contact = await unfoldEnquiry(page);
  await contact.getByLabel("Your full name").fill(person.name);
  await contact.getByLabel("Your e-mail").fill(person.email);
  await contact.getByLabel("Mobile number").fill(person.phone);
  await contact.getByLabel("Message").fill("Is it online?");
  await contact.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  await page.getByRole("button", { name: "I am a person, continue" }).click();
  await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText(
    "That was a little too fast. Please wait three seconds and press again.",
  );
  expect(await person.mails()).toEqual([]);
  const shown = Date.now();
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(ripe + 1000);
  await page.getByRole("button", { name: "I am a person, continue" }).click();
  await expect(page.getByText("Request successfully submitted.")).toBeVisible();
});

test("Enter presses the next button", async ({ page, person, enrolment }) => {
  await person.at("human");
  await page.goto(landing);
  await enrolment.giveDetails();
  await enrolment.field("Mobile number").press("Enter");
  await enrolment.field("OTP").fill(await person.code());
  await enrolment.field("OTP").press("Enter");
  await expect(enrolment.at("phone_number")).toContainText("Verified");
});

test("a pending page polls without scripts", async ({ page, person }) => {
  await person.at("pending");
  await page.goto(`/success?kspay_id=${person.payment}`);
  await person.press("paid");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are enrolled");
});
