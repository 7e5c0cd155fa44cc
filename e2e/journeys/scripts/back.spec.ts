// A page that answers a post gets the address that shows it again, so that Back never ends in the browser's error page.
import { Application } from "../../application.ts";
import { SignIn } from "../../signin.ts";
import { expect, test } from "../../test.ts";

test("Back works after a wrong and a right code", async ({ page, person }) => {
  await person.at("signed up");
  await person.forget();
  const signIn = new SignIn(page, person, true);
  await signIn.open("/account/sign-in?next=/account/name");
  await signIn.field("Mobile number or e-mail").fill("12345");
  await signIn.press("Send code");
  await expect(page).toHaveTitle(/^Error: /);
  await signIn.askFor(person.phone);
  const code = await person.newCode();
  await signIn.give(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  await expect(signIn.field("OTP")).toHaveAccessibleDescription(/Invalid OTP/);
  await expect(page).toHaveURL("/account/sign-in/code?next=%2Faccount%2Fname");
  await page.goBack();
  await page.goBack();
  await expect(signIn.field("Mobile number or e-mail")).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page).not.toHaveTitle(/^Error: /); // loaded again by GET
  await signIn.give(code);
  await expect(page).toHaveURL("/account/name");
  await page.goBack();
  await expect(page).toHaveURL("/account/name");
});

test("Back from the guardian's page returns to the answers @long", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(0);
  await form.open("personal");
  await form.takenOver();
  await form.fillPersonal();
  await form.born("14", "08", "2010");
  await form.press("NEXT");
  const question = page.getByRole("heading", { level: 1 });
  await expect(question).toHaveText("A parent or guardian agrees first");
  await page.waitForLoadState(); // after its script; before, a reload would repeat the post
  await page.reload();
  await expect(form.field("Pin Code")).toHaveValue("695001"); // stored in this tab only
  await form.press("NEXT");
  await expect(question).toHaveText("A parent or guardian agrees first");
  await form.field("Guardian’s mobile number").fill(person.guardian);
  await form.press("Send code");
  await new SignIn(page, person, true).give(await person.code(person.guardian));
  await expect(page).toHaveURL("/hiresure/form/academic");
  await page.goBack();
  await expect(page).toHaveURL("/hiresure/form/personal");
  await expect(form.field("Pin Code")).toHaveValue("695001");
});

test("a rejected review continues, and Back returns", async ({ page, person }) => {
  await person.at("signed up");
  const form = new Application(page, person);
  await form.saved(3);
  await form.open("review");
  await form.press("SUBMIT");
  await expect(page).toHaveTitle(/^Error: /);
  await page.waitForLoadState(); // its script has run
  await page.getByRole("link", { name: "Change Scholarship Details" }).click();
  await expect(page).toHaveURL("/hiresure/form/scholarship?from=review");
  await page.goBack();
  await expect(page).toHaveURL("/hiresure/form/review");
  await form.press("SUBMIT");
  await expect(page).toHaveTitle(/^Error: /);
  await page.waitForLoadState();
  await page.goBack();
  await expect(page.getByRole("button", { name: "SUBMIT" })).toBeVisible();
});
