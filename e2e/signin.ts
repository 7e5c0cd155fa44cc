import { expect, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";

/** The pages that one signs in on, as a person works with them, with or without scripts. */
export class SignIn {
  constructor(
    readonly page: Page,
    readonly person: Person,
    readonly scripts: boolean,
  ) {}

  /** Opens one of the pages. A visitor without scripts passed the human check before. */
  async open(address: string) {
    if (!this.scripts) await this.person.at("human");
    await this.page.goto(address);
  }

  field(label: string): Locator {
    return this.page.locator("main").getByLabel(label, { exact: true });
  }

  /** Presses a button once the page's script has run: before that the human check is asked for on a page of its own. */
  async press(button: string) {
    await this.page.waitForLoadState();
    await this.page.locator("main").getByRole("button", { name: button, exact: true }).click();
  }

  /** Asks for a code to a mobile number or an e-mail. */
  async askFor(address: string) {
    await this.field("Mobile number or e-mail").fill(address);
    await this.press("Send code");
    await expect(this.field("OTP")).toBeVisible();
  }

  /** Gives a code; with scripts the sixth digit sends it, once the page's script has run. */
  async give(code: string) {
    await this.page.waitForLoadState();
    await this.field("OTP").fill(code);
    if (!this.scripts) await this.press("Verify");
  }

  /** Says who signs up, and asks for a code. */
  async signUp() {
    await this.field("Full name").fill(this.person.name);
    await this.field("E-mail").fill(this.person.email);
    await this.field("Mobile number").fill(this.person.phone);
    await this.press("Send code");
    await expect(this.field("OTP")).toBeVisible();
  }
}
