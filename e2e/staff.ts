// People who work here.
import { createHmac } from "node:crypto";
import { expect, type Page } from "@playwright/test";

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns what an authenticator app shows (RFC 6238), steps of 30 seconds from now. */
export function totp(secret: string, steps = 0): string {
  let bits = "";
  for (const letter of secret) bits += base32.indexOf(letter).toString(2).padStart(5, "0");
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

export const password = "tiger lamp monsoon";

/** Signs in as a sample colleague, without proof, as development offers it. */
export async function become(page: Page, name: string) {
  await page.goto("/admin/sign-in");
  await page.getByRole("button", { name }).click();
  await expect(page.getByRole("link", { name: "HireSure" })).toBeVisible();
}

/** Invites somebody as an admin and returns the address of the link. The browser stays signed in as the admin. */
export async function invite(page: Page, name: string, email: string, role: string): Promise<string> {
  await become(page, "Kavya Hegde");
  await page.goto("/admin/staff/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel(role).check();
  await page.getByRole("button", { name: "Invite" }).click();
  return page.getByLabel("Link").inputValue();
}

/** Opens a link, sets a password, and returns the secret for the authenticator app. The page asks for its code. */
export async function choosePassword(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.getByLabel("Choose a password").fill(password);
  await page.getByRole("button", { name: "Set password, then add an app" }).click();
  const app = await page.getByRole("link", { name: "open the app" }).getAttribute("href");
  return new URL(app ?? "").searchParams.get("secret") ?? "";
}

/** Enters the app's code, confirms that the backup codes are saved, and returns the code, which is used now. */
export async function finishSetUp(page: Page, secret: string): Promise<string> {
  const code = totp(secret);
  await page.getByLabel("Enter the 6 digits it shows").fill(code);
  await page.getByLabel("I have saved them somewhere other than my phone").check();
  await page.getByRole("button", { name: "Turn on and continue" }).click();
  return code;
}

export async function enterPassword(page: Page, email: string, typed = password) {
  await page.goto("/admin/sign-in?real=yes");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(typed);
  await page.getByRole("button", { name: "Sign in" }).click();
}
