// The application's form without scripts.
import type { Page } from "@playwright/test";
import { Application, answers } from "../../application.ts";
import type { Person } from "../../person.ts";
import { SignIn } from "../../signin.ts";
import { expect, test } from "../../test.ts";

const form = (step: string) => `/hiresure/form/${step}`;
const terms = "I agree to the Terms & conditions, the Refund Policy and the Legal Disclosure";

async function begun(page: Page, person: Person): Promise<Application> {
  await person.at("signed up");
  await page.goto("/hiresure/form");
  await expect(page).toHaveURL("/hiresure/verify");
  const application = new Application(page, person);
  await application.press("Start application");
  await expect(page).toHaveURL(form("personal"));
  return application;
}

test("a new person applies, from the sign-up to the fee", async ({ page, person }) => {
  const signIn = new SignIn(page, person, false);
  await signIn.open(form("review"));
  await expect(page).toHaveURL("/account/sign-in?next=%2Fhiresure%2Fform%2Freview");
  await page.getByRole("link", { name: "Sign up" }).click();
  await signIn.signUp();
  await signIn.give(await person.code());
  await expect(page).toHaveURL("/hiresure/verify");
  const application = new Application(page, person);
  await application.press("Start application");

  await expect(page).toHaveURL(form("personal"));
  await application.press("NEXT");
  await expect(page.locator(".error-summary")).toBeFocused();
  await expect(page.locator(".error-summary li")).toHaveText([
    "Please enter your date of birth",
    "Please select gender",
    "Please enter guardian’s name (2–50 characters)",
    "Please enter your address (min 10 characters)",
    "State is required.",
    "Enter a valid 6-digit pin code",
  ]);
  await page.getByRole("link", { name: "Please enter your date of birth" }).click();
  await expect(application.field("DD, day")).toBeFocused();
  await application.fillPersonal();
  await application.field("Pin Code").fill("695 001");
  await application.field("Pin Code").press("Enter"); // NEXT, not BACK
  await expect(page).toHaveURL(form("academic"));

  await application.fillAcademic();
  await application.field("Percentage (or CGPA)").fill("101");
  await application.press("NEXT");
  await expect(application.field("Percentage (or CGPA)")).toBeFocused();
  await expect(application.field("Percentage (or CGPA)")).toHaveAccessibleDescription("Percentage must not exceed 100");
  await expect(application.field("Course Enrolled")).toHaveValue("B.Sc. Statistics");
  await application.field("Percentage (or CGPA)").fill("81.4");
  await application.press("NEXT");

  await expect(page).toHaveURL(form("scholarship"));
  await expect(application.field("Other scholarship details")).toBeHidden();
  await application.fillScholarship();
  await application.field("No").check();
  await expect(application.field("Other scholarship details")).toBeHidden();
  await application.field("Yes").check();
  await application.press("NEXT");

  await expect(page).toHaveURL(form("review"));
  for (const earlier of [
    "scholarship",
    "academic?open",
    "academic",
    "personal?open#f-dob",
    "personal?open",
    "personal",
  ]) {
    await page.goBack();
    await expect(page).toHaveURL(form(earlier));
  }
  for (const later of ["personal?open", "personal?open#f-dob", "academic", "academic?open", "scholarship", "review"]) {
    await page.goForward();
    await expect(page).toHaveURL(form(later));
  }
  await application.press("BACK");
  await expect(page).toHaveURL(form("scholarship"));
  await expect(application.field("Annual Family Income")).toHaveValue("3,20,000");
  await application.press("BACK");
  await expect(page).toHaveURL(form("academic"));
  await application.press("BACK");
  await expect(page).toHaveURL(form("personal"));
  await expect(application.field("MM, month")).toHaveValue("08");
  for (const next of ["academic", "scholarship", "review"]) {
    await application.press("NEXT");
    await expect(page).toHaveURL(form(next));
  }

  await page.getByRole("link", { name: "Change Academic Information" }).click();
  await application.field("Course Enrolled").fill("M.A.");
  await application.press("NEXT");
  await expect(page).toHaveURL(form("review"));
  await expect(page.getByText("M.A.")).toBeVisible();
  await application.press("SUBMIT");
  await expect(application.field(terms)).toHaveAccessibleDescription("Please check terms and conditions");
  await expect(application.field(terms)).toBeFocused();
  await application.field(terms).check();
  await page.getByText("News, sharing and reminders").click();
  await page.getByLabel("Reminders", { exact: false }).check();
  const toTheFee = () => page.waitForRequest((request) => new URL(request.url()).pathname === "/hiresure/payment");
  let led = toTheFee();
  await application.press("SUBMIT");
  await led;
  for (const step of ["personal", "review"]) {
    led = toTheFee();
    await page.goto(form(step));
    await led;
  }
});

test("a draft continues on another device at the same field", async ({ page, person, another }) => {
  const application = await begun(page, person);
  await application.born("14", "", "2005");
  await application.field("Address").fill("Thycaud");
  await application.press("BACK");
  await expect(page).toHaveURL("/hiresure");
  const { page: elsewhere, person: same } = await another();
  Object.assign(same, { phone: person.phone, email: person.email, name: person.name });
  const signIn = new SignIn(elsewhere, same, false);
  await signIn.open("/account/sign-in?next=/hiresure/form");
  await signIn.askFor(same.phone);
  await signIn.give(await same.newCode());
  await expect(elsewhere).toHaveURL(form("personal"));
  const there = new Application(elsewhere, same);
  await expect(there.field("Address")).toHaveValue("Thycaud");
  await expect(there.field("DD, day")).toHaveValue("14");
  await expect(there.field("MM, month")).toHaveValue("");
  await expect(elsewhere.getByText(/^Saved [0-9]{2}:[0-9]{2}$/)).toBeVisible();
});

test("nothing of a minor is stored before the guardian consents", async ({ page, person }) => {
  const application = await begun(page, person);
  await application.fillPersonal();
  await application.born("14", "08", "2010");
  await application.press("NEXT");
  await expect(page.getByText("We save this application only after")).toBeVisible();
  await expect(page.getByText("Born 14/08/2010")).toBeVisible();
  await application.press("Change the date of birth");
  await expect(application.field("Address")).toHaveValue(answers.personal.address ?? "");
  await application.press("NEXT");
  await application.field("Guardian’s mobile number").fill(person.phone);
  await application.press("Send code");
  await application.field("No, I will correct the number").check();
  await application.press("Send code");
  await expect(application.field("Guardian’s mobile number")).toHaveAccessibleDescription(
    /^Guardian’s phone number must be different from yours\./,
  );
  await application.field("Guardian’s mobile number").fill(person.guardian);
  await application.press("Send code");
  const code = await person.code(person.guardian);
  const sms = (await person.mails()).find(({ to }) => to === `+91${person.guardian}`);
  expect(sms?.body).toContain(
    "asks you to agree to the HireSure application, fee Rs 2500. If yes, tell only your child ",
  );
  await application.field("OTP").fill(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  await application.press("Verify");
  await expect(application.field("OTP")).toHaveAccessibleDescription(/^Invalid OTP/);
  const other = await page.context().newPage();
  await other.goto(form("personal"));
  await expect(other.getByLabel("Address", { exact: true })).toHaveValue(""); // nothing is stored before the guardian agrees
  await other.close();
  await application.field("OTP").fill(code);
  await application.press("Verify");
  await expect(page).toHaveURL(form("academic"));
  await page.goto(form("personal"));
  await expect(application.field("Address")).toHaveValue(answers.personal.address ?? "");
  await application.field("Pin Code").fill("695002");
  await application.press("NEXT"); // the guardian's consent stays
  await expect(page).toHaveURL(form("academic"));
});

test("a person signed out in the middle signs in and continues with the same input", async ({ page, person }) => {
  const application = await begun(page, person);
  await application.fillPersonal();
  await application.born("12", "03", "2005");
  await person.forget();
  await application.press("NEXT");
  const signIn = new SignIn(page, person, false);
  await expect(page.getByText("Sign in, and we send what you typed.")).toBeVisible();
  await person.at("human");
  await signIn.askFor("9000000001");
  await signIn.press("Change number");
  await signIn.field("Mobile number or e-mail").fill(person.phone);
  await signIn.press("Send code");
  await signIn.give(await person.newCode());
  await expect(page.getByText("You are signed in again.")).toBeVisible();
  await signIn.press("Continue");
  await expect(page).toHaveURL(form("academic"));
  await page.goto(form("personal"));
  await expect(application.field("DD, day")).toHaveValue("12");
  await expect(application.field("MM, month")).toHaveValue("03");
  await expect(application.field("Address")).toHaveValue(answers.personal.address ?? "");
});

test("two tabs do not overwrite each other @long", async ({ page, person }) => {
  const application = await begun(page, person);
  await application.fillPersonal();
  await application.field("Address").fill("Another address, in this tab");
  await application.field("Pin Code").fill("695010");
  await application.send(form("personal"), { ...answers.personal, do: "next" });
  await application.press("NEXT");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two answers differ. Which ones stay?");
  await expect(page.getByText("The other four answers are the same in both.")).toBeVisible();
  await page.getByRole("group", { name: "Address" }).getByRole("radio").first().check();
  await application.press("BACK");
  await expect(application.field("Address")).toHaveValue(answers.personal.address ?? "");
  await expect(application.field("Pin Code")).toHaveValue("695010");
  await application.press("NEXT");
  await expect(page).toHaveURL(form("academic"));
});
