import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Page } from "@playwright/test";
import { startSite } from "../../site.ts";
import { choosePassword, invite } from "../../staff.ts";
import { test as base, expect } from "../../test.ts";

// Browsers bind passkeys to a name: a site at localhost instead of 127.0.0.1.
const test = base.extend<{ named: string }>({
  named: async ({ database, faults }, use) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const origin = `http://localhost:${port}`;
    faults.allow(new RegExp(`^request to ${origin}/`));
    const site = await startSite(database, { ADDR: `127.0.0.1:${port}`, BASE_URL: origin });
    await use(origin);
    await site.stop();
  },
  baseURL: ({ named }, use) => use(named),
});

/** Gives the page's device a passkey store that always finds the right finger; the returned function takes the finger away. */
async function device(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
}

async function logOut(page: Page) {
  await page.goto("/admin/menu");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.goto("/admin/sign-in?real=yes");
}

test("a colleague is invited, creates a passkey, and comes back with it", async ({ page, person }) => {
  const loseFinger = await device(page);
  const link = await invite(page, "Asha Rao", `s${person.phone}@academy.example`, "Support");
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();
  await logOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();

  await page.goto("/admin/passkeys");
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByText("This device has a passkey for your account already.")).toBeVisible();
  await page.getByRole("button", { name: /^Remove the passkey of/ }).click();
  await expect(page.getByText("This is your only way to sign in. Add another passkey first")).toBeVisible();

  await logOut(page);
  await loseFinger();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("No passkey was used. Try again, or choose another way.")).toBeVisible();
});

test("a colleague takes a passkey instead of an app", async ({ page, person }) => {
  await device(page);
  const link = await invite(page, "Asha Rao", `s${person.phone}@academy.example`, "Support");
  await page.context().clearCookies();
  await choosePassword(page, link);
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();
});
