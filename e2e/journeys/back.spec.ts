// Back, forward and reload on pages for a code: each has an address and can be opened again without another code.
import { SignIn } from "../signin.ts";
import { expect, test } from "../test.ts";

test("the code's page survives reload, leaving and Back", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await person.forget();
  const signIn = new SignIn(page, person, scripts);
  const code = "/account/sign-in/code?next=%2Faccount%2Fname";
  await signIn.open("/account/sign-in?next=/account/name");
  await signIn.askFor(person.phone);
  await expect(page).toHaveURL(code);
  const right = await person.newCode();
  const sent = (await person.mails()).length;

  await page.reload();
  await expect(page.getByText("OTP sent by SMS to")).toBeVisible();
  await page.goBack();
  await expect(signIn.field("Mobile number or e-mail")).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(code);
  await expect(signIn.field("OTP")).toBeVisible();
  await signIn.give(right);
  await expect(page).toHaveURL("/account/name");
  await page.goBack();
  await expect(page).toHaveURL("/account/name"); // a signed-in person needs no code
  await expect(signIn.field("Full name")).toBeVisible();
  const codes = (await person.mails()).filter(({ body }) => /#[0-9]{6}/.test(body));
  expect(codes.length, "codes").toBeLessThanOrEqual(sent);
});

test("Back from the code's page keeps the input of the sign-up @once", async ({ page, person, scripts }) => {
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account/sign-up?next=/account");
  await signIn.signUp();
  await page.reload();
  await page.goBack();
  await expect(page).toHaveURL("/account/sign-up?next=/account");
  await page.goForward();
  await signIn.give(await person.code());
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { level: 1, name: person.name })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/account");
});

test("the codes of a new e-mail and a new number have their own pages @long", async ({ page, person, scripts }) => {
  await person.at("signed up");
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account/email");
  await signIn.field("E-mail").fill(`new.${person.email}`);
  await signIn.press("Send code");
  await expect(page).toHaveURL("/account/email/code");
  await page.goto("/account/phone");
  await signIn.field("Mobile number").fill(person.guardian);
  await signIn.press("Send code");
  await expect(page).toHaveURL("/account/phone/code");
  await page.reload();
  await page.goBack();
  await expect(signIn.field("Mobile number")).toBeVisible();
  await page.goForward();
  await signIn.give(await person.code(person.guardian));
  await expect(page).toHaveURL("/account#phone-saved");
  await expect(page.getByText("Your mobile number is verified and saved.")).toBeVisible();
  await expect(page.getByText("Your e-mail is verified and saved.")).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL("/account/phone");
});
