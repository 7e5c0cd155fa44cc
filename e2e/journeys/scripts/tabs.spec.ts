// Two browsers on one step: the later one must choose which answers to keep, also after Back. Until then nothing is saved.
import type { Page } from "@playwright/test";
import { Application, answers } from "../../application.ts";
import type { Person } from "../../person.ts";
import { SignIn } from "../../signin.ts";
import { expect, test } from "../../test.ts";

const question = (page: Page) => page.getByRole("heading", { level: 1 });
const notice = (page: Page) => page.locator("main .notice");

/** Opens the step in the person's second browser. */
async function elsewhere(page: Page, person: Person) {
  await page.goto("/account/sign-in?next=/hiresure/form/scholarship");
  const signIn = new SignIn(page, person, true);
  await signIn.askFor(person.phone);
  await signIn.give(await person.newCode());
  const form = new Application(page, person);
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await form.takenOver();
  return form;
}

const reason = "From the second browser: my sister studies too, and my father is out of work.";

/** Presses NEXT in the second browser, which opens the page to choose between the answers. */
async function differs({ page, person }: { page: Page; person: Person }, another: () => Promise<{ page: Page }>) {
  await person.at("signed up");
  const first = new Application(page, person);
  await first.saved(2);
  await first.open("scholarship");
  await first.takenOver();
  const other = await another();
  const second = await elsewhere(other.page, person);
  await first.fillScholarship();
  await first.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/review");
  await other.page.route(/save-form-draft/, (route) => route.abort()); // as if NEXT overtook a slow draft
  await second.field("No").check();
  await second.field("Annual Family Income").fill("1,80,000");
  await second.field("Reason for Scholarship Request").fill(reason);
  await second.press("NEXT");
  await expect(question(other.page)).toHaveText(/answers differ\. Which ones stay\?$/);
  await other.page.unroute(/save-form-draft/);
  return { first, second, there: other.page };
}

test("Back from the choice of answers keeps them, and the choice is offered again @long", async ({
  page,
  person,
  another,
  faults,
}) => {
  faults.allow(/ERR_FAILED/);
  const { first, second, there } = await differs({ page, person }, another);
  await there.goBack();
  await expect(there).toHaveURL("/hiresure/form/scholarship");
  await expect(notice(there)).toContainText("You also changed this page in another tab or on another device");
  await expect(second.field("Annual Family Income")).toHaveValue("1,80,000");
  await expect(second.field("Reason for Scholarship Request")).toHaveValue(reason);
  await expect(second.field("No")).toBeChecked();
  await first.open("scholarship");
  await expect(first.field("Annual Family Income")).toHaveValue("3,20,000");
  await expect(first.field("Reason for Scholarship Request")).toHaveValue(answers.scholarship.reason ?? "");
  await second.press("Choose answers");
  await expect(question(there)).toHaveText(/answers differ\. Which ones stay\?$/);
  await there
    .getByRole("button", { name: /^Keep these/ })
    .last()
    .click();
  await expect(there).toHaveURL("/hiresure/form/scholarship");
  await first.open("scholarship");
  await expect(first.field("Reason for Scholarship Request")).toHaveValue(reason);
});

test("chosen answers stay after Back, and the choice is not offered again @long", async ({
  page,
  person,
  another,
  faults,
}) => {
  faults.allow(/ERR_FAILED/);
  const { second, there } = await differs({ page, person }, another);
  await there.getByRole("radio", { name: /3,20,000/ }).check();
  await there
    .getByRole("button", { name: /^Keep these/ })
    .last()
    .click();
  await expect(there).toHaveURL("/hiresure/form/review");
  await there.goBack(); // to the page with the choice, which was made
  await expect(there).toHaveURL("/hiresure/form/scholarship");
  await expect(second.field("Annual Family Income")).toHaveValue("3,20,000");
  await expect(second.field("Reason for Scholarship Request")).toHaveValue(reason);
  await second.takenOver();
  await expect(there.locator(".rail .saved")).toHaveText(/^Saved/);
  await expect(notice(there)).toHaveCount(0);
});

test("after Back, sent answers do not overwrite newer ones", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(2);
  await form.open("scholarship");
  await form.takenOver();
  await form.fillScholarship();
  await form.press("NEXT");
  await expect(page).toHaveURL("/hiresure/form/review");
  await form.send("/hiresure/form/scholarship", { ...answers.scholarship, reason, do: "next" }); // from another device
  await page.goBack();
  await expect(page).toHaveURL("/hiresure/form/scholarship");
  await form.takenOver();
  await expect(form.field("Reason for Scholarship Request")).toHaveValue(reason);
  await expect(page.locator(".rail .saved")).toHaveText(/^Saved/);
});
