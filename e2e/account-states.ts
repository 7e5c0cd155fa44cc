// The pages of an account, in every state.
import { expect } from "@playwright/test";
import { mobile } from "./enrolment.ts";
import { SignIn } from "./signin.ts";
import type { State } from "./states.ts";

const signIn = (name: string, address: string, act: (at: SignIn) => Promise<unknown> = async () => {}): State => ({
  name,
  open: async ({ page, person, enrolment }) => {
    const at = new SignIn(page, person, enrolment.scripts);
    await at.open(address);
    await act(at);
  },
});

const signsUpEnrolled = (name: string, act: (at: SignIn) => Promise<unknown> = async () => {}): State => ({
  name,
  open: async ({ page, person, enrolment }) => {
    await person.at("paid");
    await person.forget();
    const at = new SignIn(page, person, enrolment.scripts);
    await at.open("/account/sign-in");
    await at.askFor(person.phone);
    await at.give(await person.newCode());
    await page.getByRole("link", { name: "Create my account" }).click();
    await expect(page.getByRole("heading", { name: "Your enrolment is here, Asha." })).toBeVisible();
    await act(at);
  },
});

const signedIn = (name: string, address: string, act: (at: SignIn) => Promise<unknown> = async () => {}): State => ({
  name,
  open: async ({ page, person, enrolment }) => {
    await person.at("signed up");
    await page.goto(address);
    await act(new SignIn(page, person, enrolment.scripts));
  },
});

const onTwoBrowsers = (name: string, act: (at: SignIn) => Promise<unknown> = async () => {}): State =>
  signedIn(name, "/account", async (at) => {
    const origin = new URL(at.page.url()).origin;
    const elsewhere = await at.page.context().browser()?.newContext({ baseURL: origin, javaScriptEnabled: true });
    if (!elsewhere) throw new Error("no browser");
    const there = new SignIn(await elsewhere.newPage(), at.person, true);
    await there.open("/account/sign-in?next=/account");
    await there.askFor(at.person.phone);
    await there.give(await at.person.newCode());
    await expect(there.page).toHaveURL("/account");
    await elsewhere.close();
    await at.page.reload();
    await expect(at.page.getByRole("button", { name: "Log out everywhere" })).toBeVisible();
    await act(at);
  });

const verify = signIn("verify", "/account/sign-in?next=/hiresure/verify", async (at) => {
  await at.askFor(at.person.email);
  await at.give(await at.person.mailedCode());
  await at.field("Full name").fill(at.person.name);
  await at.field("Mobile number").fill(at.person.phone);
  await at.press("Sign up");
  await expect(at.page).toHaveURL("/hiresure/verify");
  await at.page.getByRole("link", { name: "Verify your number" }).click();
});

export const accountStates: State[] = [
  signIn("sign in", "/account/sign-in"),
  signIn("sign in, error", "/account/sign-in", async (at) => {
    await at.field("Mobile number or e-mail").fill("12345");
    await at.press("Send code");
    await expect(at.field("Mobile number or e-mail")).toHaveAttribute("aria-invalid", "true");
  }),
  signIn("sign in, code", "/account/sign-in", (at) => at.askFor(at.person.phone)),
  signIn("sign in, code half typed", "/account/sign-in", async (at) => {
    await at.askFor(at.person.phone);
    await at.field("OTP").fill("4071");
  }),
  signIn("sign in, code by e-mail", "/account/sign-in", (at) => at.askFor(at.person.email)),
  signIn("sign in, code wrong", "/account/sign-in", async (at) => {
    await at.askFor(at.person.phone);
    await at.give(await at.person.wrongCode());
    await expect(at.field("OTP")).toHaveAccessibleDescription(/Invalid OTP/);
  }),
  signIn("sign in, code wrong too often", "/account/sign-in", async (at) => {
    await at.askFor(at.person.phone);
    const wrong = await at.person.wrongCode();
    for (const answer of [/Invalid OTP/, /Invalid OTP/, /Invalid OTP/, /Invalid OTP/, /5 wrong tries/]) {
      await at.page.goto("/account/sign-in/code");
      await at.give(wrong);
      await expect(at.field("OTP")).toHaveAccessibleDescription(answer);
    }
    await at.page.goto("/account/sign-in/code");
    await expect(at.field("OTP")).toHaveAccessibleDescription(/5 wrong tries/);
  }),
  signIn("sign up", "/account/sign-up"),
  signIn("sign up, errors", "/account/sign-up", async (at) => {
    await at.press("Send code");
    await expect(at.page.getByText("3 answers missing")).toBeVisible();
  }),
  signIn("sign up, phone proven", "/account/sign-in?next=/account", async (at) => {
    await at.askFor(at.person.phone);
    await at.give(await at.person.code());
    await expect(at.page.getByText(`No account signs in with ${mobile(at.person.phone)} yet.`)).toBeVisible();
  }),
  signsUpEnrolled("sign up, enrolled"),
  signsUpEnrolled("sign up, enrolled, error", async (at) => {
    await at.page.getByText("Change name or e-mail").click();
    await at.field("Full name").fill("");
    await at.press("Create my account");
    await expect(at.field("Full name")).toHaveAccessibleDescription(/Full name is required\./);
  }),
  signedIn("my profile", "/account"),
  onTwoBrowsers("my profile, two browsers"),
  signedIn("my profile, menu", "/account", async ({ page, person }) => {
    await page.locator("summary", { has: page.locator(".avatar") }).click();
    await expect(page.getByRole("link", { name: "My profile" })).toBeVisible();
    await expect(page.locator(".person-menu")).toContainText(mobile(person.phone));
  }),
  signedIn("log out", "/account/log-out"),
  {
    ...onTwoBrowsers("my profile, offline", async ({ page }) => {
      await page.evaluate(() => {
        Object.defineProperty(navigator, "onLine", { get: () => false }); // not really offline, because the checks load their tools
        dispatchEvent(new Event("offline"));
      });
      await page.getByRole("button", { name: "Log out everywhere" }).click();
      await expect(page.locator("form > .inline-error")).toHaveText(
        "Nobody was logged out. Please try again once you are online.",
      );
      await expect(page.locator(".toast")).toHaveCount(0);
    }),
    needs: "scripts",
  },
  signedIn("change name", "/account/name"),
  signedIn("change phone", "/account/phone"),
  signedIn("change e-mail", "/account/email"),
  verify,
  {
    name: "verify, error",
    open: async (visitor) => {
      await verify.open(visitor);
      const at = new SignIn(visitor.page, visitor.person, visitor.enrolment.scripts);
      await at.field("Mobile number").fill("91234 5678");
      await at.press("Send code");
      await expect(at.field("Mobile number")).toHaveAccessibleDescription(
        /Number must start with 6-9 and be exactly 10 digits\./,
      );
    },
  },
];
