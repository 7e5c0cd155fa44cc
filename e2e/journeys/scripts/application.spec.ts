// The application's form with scripts: saves input, shows where it is saved, and loses none.
import type { Page } from "@playwright/test";
import { Application, answers } from "../../application.ts";
import type { Person } from "../../person.ts";
import { SignIn } from "../../signin.ts";
import { expect, test } from "../../test.ts";

const saved = (page: Page) => page.locator(".rail .saved");
const question = (page: Page) => page.getByRole("heading", { level: 1 });
const notice = (page: Page) => page.locator("main .notice");

async function signInAgain(page: Page, person: Person) {
  const signIn = new SignIn(page, person, true);
  await signIn.askFor(person.phone);
  await signIn.give(await person.newCode());
}

test("from the first step to the terms without a form post", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
  });
  await form.open("personal");
  await form.takenOver();
  await form.fillPersonal();
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/academic");
  await form.takenOver();
  await form.fillAcademic();
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await form.takenOver();
  await form.field("No").check();
  await expect(form.field("Other scholarship details")).toBeHidden();
  await form.fillScholarship();
  await expect(page.locator(".count").first()).toHaveText(`${answers.scholarship.details?.length} of 200`);
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/review");
  expect(posts.filter((path) => path.startsWith("/hiresure/"))).toEqual([]);
  expect(posts.filter((path) => path.endsWith("submit-form-details"))).toHaveLength(3);
  await form.field("I agree to the Terms & conditions, the Refund Policy and the Legal Disclosure").check();
  const paying = page.waitForRequest(/\/hiresure\/payment$/);
  await form.press("SUBMIT");
  await paying;
});

test("errors show when a field is left and are listed by NEXT; a warning blocks nothing", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  await form.open("personal");
  await form.takenOver();
  await form.field("Pin Code").fill("12");
  await form.field("Address").focus();
  await expect(page.locator("#e-zip")).toHaveText("Enter a valid 6-digit pin code");
  await form.field("Pin Code").fill("123");
  await expect(page.locator("#e-zip")).toBeHidden();
  await form.field("MM, month").fill("2");
  await form.field("YYYY, year").focus();
  await expect(page.locator("#e-dob")).toBeHidden(); // the date is incomplete
  await form.press("NEXT");
  await expect(page.locator(".error-summary")).toBeFocused();
  await expect(page.locator(".error-summary h2")).toHaveText("6 answers to correct");
  await expect(page.locator(".rail .rail-step b").last()).toHaveText("6 answers to correct");
  await expect(page).toHaveURL("/hiresure/form/personal");
  await form.fillPersonal();
  await form.field("Pin Code").fill("110001");
  await expect(page.locator(".warns")).toContainText("This PIN code does not look like one from Kerala. Please check.");
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/academic");
});

test("a discarded draft does not come back from the tab", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  const course = form.field("Course Enrolled");
  const kept = page.waitForResponse(/save-form-draft/);
  await course.fill("B.Com.");
  await kept;
  await page.reload();
  await form.takenOver();
  await page.getByRole("link", { name: "Discard draft" }).click();
  await expect(question(page)).toHaveText("Discard this draft?");
  await page.getByRole("link", { name: "Keep draft" }).click();
  await form.takenOver();
  await expect(course).toHaveValue("B.Com.");
  await page.getByRole("link", { name: "Discard draft" }).click();
  await form.press("Discard draft");
  await form.takenOver();
  await expect(course).toHaveValue("");
  await page.reload();
  await form.takenOver();
  await expect(course).toHaveValue("");
  await expect(page.getByRole("link", { name: "Discard draft" })).toBeHidden();
});

test("a whole date can be pasted into one field, and the calendar fills all three", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  await form.open("personal");
  await form.takenOver();
  await form.field("DD, day").evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "2005-08-14");
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  const parts = () => Promise.all(["DD, day", "MM, month", "YYYY, year"].map((name) => form.field(name).inputValue()));
  expect(await parts()).toEqual(["14", "08", "2005"]);
  const calendar = page.locator('.calendar input[type="date"]');
  await expect(calendar).toHaveAttribute("max", /^20\d\d-\d\d-\d\d$/);
  await calendar.fill("2004-02-29", { force: true });
  expect(await parts()).toEqual(["29", "02", "2004"]);
  await expect(page.getByRole("button", { name: "Choose from a calendar" })).toBeVisible();
});

test("a second device continues in the middle of a step at the same field", async ({ page, person, another }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await form.field("Current Institution/College/School").fill("Sarovara College");
  await form.field("Course Enrolled").pressSequentially("B.Sc. Stat");
  await expect(saved(page)).toHaveText(/^Saved \d\d:\d\d$/);
  const kept = page.waitForResponse(/save-form-draft/);
  await form.field("Course Enrolled").press("i");
  expect((await kept).status()).toBe(200);

  const other = await another();
  await other.page.goto("/account/sign-in?next=/hiresure/form");
  await signInAgain(other.page, person);
  await expect(other.page).toHaveURL("/hiresure/form/academic");
  const there = new Application(other.page, person);
  await expect(there.field("Course Enrolled")).toHaveValue("B.Sc. Stati");
  await expect(there.field("Current Institution/College/School")).toHaveValue("Sarovara College");
  await expect(there.field("Course Enrolled")).toBeFocused();
});

test("the later of two tabs sees what changed and chooses", async ({ page, person, context }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  const second = await context.newPage();
  const other = new Application(second, person);
  await other.open("academic");
  await other.fillAcademic();
  await expect(saved(second)).toHaveText(/^Saved/);
  await other.press("NEXT");
  await expect(second).toHaveURL("/hiresure/form/scholarship");
  await form.fillAcademic();
  await form.field("Course Enrolled").fill("B.Com.");
  await expect(notice(page)).toContainText("You also changed this page in another tab or on another device.");
  await expect(saved(page)).toHaveText("Not saved yet");
  await form.press("Choose answers");
  await expect(question(page)).toHaveText("One answer differs. Which one stays?");
  await expect(page.getByRole("radio", { name: /B\.Com\./ })).toBeChecked();
  await page.getByRole("radio", { name: /B\.Sc\. Statistics/ }).check();
  await form.press("Keep this one");
  await expect(page).toHaveURL("/hiresure/form/academic");
  await expect(form.field("Course Enrolled")).toHaveValue("B.Sc. Statistics");
});

test("a connection lost while typing loses no input and shows where it is saved", async ({
  page,
  person,
  context,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await form.field("Current Institution/College/School").fill("Sarovara College");
  await page.waitForResponse(/save-form-draft/);
  await expect(saved(page)).toHaveText(/^Saved/);
  await context.setOffline(true);
  await form.field("Exam Name").fill("HSC");
  await expect(saved(page)).toHaveText(/^Kept here \d\d:\d\d$/);
  await expect(page.locator(".offline-notice li")).toHaveText([
    /^\d\d:\d\dOn our server: Current Institution\/College\/School\. Any device shows them\.$/,
    /^\d\d:\d\dOn this device only: Exam Name\. We send it automatically\.$/,
  ]);
  await expect(page.locator(".application-intro .lede")).toHaveText(
    "Continue writing. NEXT sends everything as soon as the connection is back.",
  );
  const sent = page.waitForResponse(/save-form-draft/);
  await context.setOffline(false);
  expect((await sent).status()).toBe(200);
  await expect(saved(page)).toHaveText(/^Saved/);
  await expect(page.locator(".offline-notice")).toHaveCount(0);
  await page.reload();
  await expect(form.field("Exam Name")).toHaveValue("HSC");
});

test("input of a page closed while offline is restored in its tab and sent", async ({
  page,
  person,
  context,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await context.setOffline(true);
  await form.field("Exam Name").fill("HSC");
  await expect(saved(page)).toHaveText(/^Kept here/);
  await page.route(/save-form-draft/, (route) => route.abort());
  await context.setOffline(false);
  await page.reload(); // stored input loads the form's script
  await expect(form.field("Exam Name")).toHaveValue("HSC");
  const sent = page.waitForResponse(/save-form-draft/);
  await page.unroute(/save-form-draft/);
  expect((await sent).status()).toBe(200);
  await expect(saved(page)).toHaveText(/^Saved/);
});

test("a step whose sending lost the connection is sent once online", async ({ page, person, context, faults }) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await form.fillAcademic();
  await page.waitForResponse(/save-form-draft/);
  await context.setOffline(true);
  await form.press("NEXT");
  await expect(notice(page)).toHaveText(
    "Not sent yet: you are offline. We send this page as soon as the connection is back.",
  );
  await expect(page).toHaveURL("/hiresure/form/academic");
  await context.setOffline(false);
  await expect(page).toHaveURL("/hiresure/form/scholarship");
});

test("a person signed out in the middle of a step signs in and finds all input", async ({ page, person, faults }) => {
  faults.allow(/401/);
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await form.field("Current Institution/College/School").fill("Sarovara College");
  await page.waitForResponse(/save-form-draft/);
  await page.context().clearCookies();
  await form.field("Exam Name").fill("HSC");
  await expect(notice(page)).toContainText(
    "You are logged out. What you typed is kept in this tab: sign in, and you come back to it.",
  );
  await page.getByRole("link", { name: "Sign in again" }).click();
  await signInAgain(page, person);
  await expect(page).toHaveURL("/hiresure/form/academic");
  await expect(form.field("Current Institution/College/School")).toHaveValue("Sarovara College");
  await expect(form.field("Exam Name")).toHaveValue("HSC");
  await expect(saved(page)).toHaveText(/^Saved/);
});

test("Back shows each step as sent, and BACK saves a draft", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(1);
  await form.open("academic");
  await form.takenOver();
  await form.fillAcademic();
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await form.takenOver();
  await form.field("Annual Family Income").fill("3,20");
  await form.press("BACK");
  await expect(page).toHaveURL("/hiresure/form/academic");
  await expect(form.field("Course Enrolled")).toHaveValue("B.Sc. Statistics");
  await page.goBack();
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await expect(form.field("Annual Family Income")).toHaveValue("3,20");
  await page.goBack();
  await page.goForward();
  await expect(form.field("Annual Family Income")).toHaveValue("3,20");
});

test("a guardian consents with a code that is sent by its sixth digit", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  await form.open("personal");
  await form.takenOver();
  await form.fillPersonal();
  await form.born("14", "08", "2010");
  await form.press("NEXT");
  await expect(question(page)).toHaveText("A parent or guardian agrees first");
  await form.field("Guardian’s mobile number").fill(person.guardian);
  await form.press("Send code");
  await expect(page.getByRole("button", { name: "Resend" })).toBeDisabled();
  await expect(page.getByText(/^in (1:00|0:5[0-9])$/)).toBeVisible();
  await new SignIn(page, person, true).give(await person.code(person.guardian));
  await expect(page).toHaveURL("/hiresure/form/academic");
});
