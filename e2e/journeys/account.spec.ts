import { landing, mobile } from "../enrolment.ts";
import { SignIn } from "../signin.ts";
import { expect, test } from "../test.ts";

test("a new person signs up and sees the profile", async ({ page, person, scripts }) => {
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account");
  await expect(page).toHaveURL("/account/sign-in?next=%2Faccount");
  await page.getByRole("link", { name: "Sign up" }).click();
  await signIn.signUp();
  await signIn.give(await person.code());
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { level: 1, name: person.name })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: mobile(person.phone) })).toBeVisible();
});

test("an enrolled person signs in on another browser, and the landing page shows the enrolment", async ({
  page,
  person,
  another,
  scripts,
}) => {
  await person.at("paid");
  const { page: elsewhere, person: same } = await another();
  Object.assign(same, { phone: person.phone, email: person.email, name: person.name });
  const signIn = new SignIn(elsewhere, same, scripts);
  await signIn.open(`/account/sign-in?next=${landing}`);
  await signIn.askFor(same.phone);
  await signIn.give(await person.newCode());
  await expect(elsewhere.getByRole("heading", { name: "Your enrolment is here, Asha." })).toBeVisible();
  await expect(elsewhere.getByRole("main")).toContainText(same.email);
  await elsewhere.getByText("Change name or e-mail").click(); // already open without scripts
  await expect(signIn.field("Full name")).toBeVisible();
  await expect(signIn.field("Full name")).toHaveValue(same.name);
  await expect(signIn.field("E-mail")).toHaveValue(same.email);
  await elsewhere.getByRole("link", { name: "See ticket and receipt" }).click(); // the verified code opens it without an account
  await expect(elsewhere.getByText("You are enrolled").first()).toBeVisible();
  await elsewhere.goBack();
  await signIn.press("Create my account");
  await expect(elsewhere).toHaveURL(landing);
  await expect(elsewhere.getByText("You are enrolled").first()).toBeVisible();
  await expect(page).toHaveURL("about:blank"); // the first browser took no part
});

test("a wrong code stays on the page, and the right one continues @once", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await person.forget();
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account/sign-in?next=/account/name");
  await signIn.askFor(person.phone);
  const code = await person.newCode();
  await signIn.give(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  await expect(signIn.field("OTP")).toHaveAccessibleDescription(/Invalid OTP/);
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByText(mobile(person.phone))).toBeVisible();
  await signIn.field("OTP").fill("");
  await signIn.give(code);
  await expect(page).toHaveURL("/account/name");
});

test("a code can be requested again only after a minute @once", async ({ page, person, scripts }) => {
  if (scripts) await page.clock.install();
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account/sign-in");
  await signIn.askFor(person.phone);
  const resend = page.getByRole("button", { name: "Resend" });
  if (scripts) {
    await expect(resend).toBeDisabled();
    await expect(page.getByText(/^in (1:00|0:5[0-9])$/)).toBeVisible();
    await page.clock.fastForward("01:00");
    await expect(resend).toBeEnabled();
  } else await expect(page.getByText("one minute after the last OTP")).toBeVisible();
  await resend.click();
  await expect(
    page.getByText(/A code went to this number a moment ago\. Please wait [0-9]+ seconds and try again\./),
  ).toBeVisible();
  await expect(page.getByText(mobile(person.phone))).toBeVisible();
});

test("a payer finds ticket and receipt on a second phone @once", async ({ person, another, scripts }) => {
  await person.at("paid");
  const { page: phone, person: same } = await another();
  Object.assign(same, { phone: person.phone, email: person.email });
  await same.at("human");
  await phone.setViewportSize({ width: 360, height: 780 });
  await phone.goto(landing);
  await phone.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
  const signIn = new SignIn(phone, same, scripts);
  await signIn.askFor(same.phone);
  await signIn.give(await person.newCode());
  await expect(phone).toHaveURL("/hiresure");
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("You are enrolled, Asha");
  await expect(phone.getByRole("link", { name: "Download Invoice" })).toBeVisible();
  await expect(phone.getByRole("link", { name: "Create my account" })).toBeVisible();
  await phone.getByRole("link", { name: "Receipt", exact: false }).first().click();
  await expect(phone.getByRole("link", { name: "Tax invoice" })).toBeVisible();
  await phone.goto(landing);
  await expect(phone.getByRole("banner").getByRole("link", { name: "My ticket" })).toBeVisible();
  await phone.goto("/hiresure");
  await phone.getByRole("button", { name: "Log out" }).click();
  await phone.goto("/hiresure");
  await expect(phone.getByText("You are enrolled")).toBeHidden();
});

test("a number without an enrolment is told so after its code @long", async ({ page, person, scripts }) => {
  const signIn = new SignIn(page, person, scripts);
  await signIn.open("/account/sign-in");
  await signIn.askFor(person.phone);
  await signIn.give(await person.code());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No ticket for this number");
  await page.getByRole("link", { name: "Try another number" }).click();
  await expect(signIn.field("Mobile number or e-mail")).toBeVisible();
});

test("signing out everywhere signs out another browser at its next request @once", async ({
  page,
  person,
  another,
  scripts,
}) => {
  await person.at("signed up");
  await page.goto("/account");
  const { page: elsewhere, person: same } = await another();
  Object.assign(same, { phone: person.phone, email: person.email });
  const signIn = new SignIn(elsewhere, same, scripts);
  await signIn.open("/account/sign-in?next=/account");
  await signIn.askFor(same.phone);
  await signIn.give(await person.newCode());
  await expect(elsewhere).toHaveURL("/account");
  await expect(elsewhere.getByText(/^Signed in on/)).toHaveCount(2);

  await expect(page.getByText("Only here.")).toBeVisible(); // true at the time of the request
  await page.reload();
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page).toHaveURL("/hiresure#signed-out");
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL("/account/sign-in?next=%2Faccount");
});

test("logging out needs a confirmation @once", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await page.goto("/account");
  await page
    .locator("summary")
    .filter({ hasText: `${person.name}, menu` })
    .click();
  await page.getByRole("link", { name: "Logout" }).click();
  const question = scripts ? page.getByRole("dialog", { name: "Log out?" }) : page.locator("main");
  if (scripts) {
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL("/account");
    await page.locator("main").getByRole("link", { name: "Log out" }).click();
  }
  await question.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/hiresure#signed-out");
  await expect(page.getByText("You are logged out.")).toBeVisible();
  await expect(page.getByText("You are logged out.").getByRole("link")).toHaveAttribute("href", "/account/sign-in");
  await page.goto("/hiresure");
  await expect(page.getByText("You are logged out.")).toBeHidden();
  await page.goto("/account");
  await expect(page).toHaveURL("/account/sign-in?next=%2Faccount");
});
