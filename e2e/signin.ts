import { expect, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";

/** Page object of the sign-in pages, with or without scripts. */
export class SignIn {
  constructor(
    readonly page: Page,
    readonly person: Person,
    readonly scripts: boolean,
  ) {}

  /** Opens a page. Without scripts the visitor has passed the human check before. */
  async open(address: string) {
    if (!this.scripts) await this.person.at("human");
    await this.page.goto(address);
  }

  field(label: string): Locator {
    return this.page.locator("main").getByLabel(label, { exact: true });
  }

  /** Presses a button once the page's script runs; without it a press opens the page of the human check. */
  async press(button: string) {
    await this.page.waitForLoadState();
    await this.page.locator("main").getByRole("button", { name: button, exact: true }).click();
  }

  /** Requests a code by SMS or e-mail. */
  async askFor(address: string) {
    await this.field("Mobile number or e-mail").fill(address);
    await this.press("Send code");
    await expect(this.field("OTP")).toBeVisible();
  }

  /** Enters a code. With scripts the sixth digit sends it. */
  async give(code: string) {
    await this.page.waitForLoadState();
    await this.field("OTP").fill(code);
    if (!this.scripts) await this.press("Verify");
  }

  /** Enters the new person's details and requests a code. */
  async signUp() {
    await this.field("Full name").fill(this.person.name);
    await this.field("E-mail").fill(this.person.email);
    await this.field("Mobile number").fill(this.person.phone);
    await this.press("Send code");
    await expect(this.field("OTP")).toBeVisible();
  }
}
