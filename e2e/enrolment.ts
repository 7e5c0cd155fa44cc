import { expect, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";

export const landing = "/scholarship/hiresure-mgrow-2025";

/** Page object of the enrolment form, with or without scripts. */
export class Enrolment {
  readonly form: Locator;
  readonly summary: Locator;
  /** What is left to do, once PROCEED TO PAY was pressed early. */
  readonly toDo: Locator;

  constructor(
    readonly page: Page,
    readonly person: Person,
    readonly scripts: boolean,
  ) {
    this.form = page.locator('form[aria-label="Enrolment"]'); // a search by role asks each element of the page for its role
    this.summary = this.form.getByRole("group", { name: "There is a problem" });
    this.toDo = this.form.getByRole("group", { name: /^[1-4] steps? before you pay$/ });
  }

  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true });
  }
  optional(label: string): Locator {
    return this.field(`${label} (optional)`);
  }
  /** Expects a field's error message, on screen and for screen readers. */
  async expectError(field: Locator, message: string) {
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(literally(message)));
  }
  /** Returns a field's part of the form, with its button and messages. */
  at(name: string): Locator {
    return this.form.locator(`[data-field="${name}"]`);
  }

  /** Opens the form and waits until scripts have hydrated it. Without scripts the visitor has passed the human check before. */
  async open(address = landing) {
    if (!this.scripts) await this.person.at("human");
    await this.page.goto(address);
    await this.takenOver();
  }

  /** Touches the form and waits until it is hydrated; from then on a press does not leave the page. */
  async takenOver() {
    if (!this.scripts) return;
    await this.form.locator(":is(.input, .check):visible").first().focus();
    await this.hydrated();
  }

  /** Waits until the form is hydrated. */
  async hydrated() {
    await this.page.locator(".island-root[data-live]").waitFor();
  }

  async press(button: string, within: Locator = this.form) {
    const target = within.getByRole("button", { name: button, exact: true });
    if (this.scripts) return target.click();
    const loaded = this.page.waitForEvent("domcontentloaded");
    await target.click();
    await loaded;
  }

  /** Returns the open step; with scripts only one is open at a time. */
  step(title: string): Locator {
    return this.form.getByRole("group", { name: title, exact: true });
  }

  /** Continues to the next step; with scripts this folds the completed one. */
  async goOn(title: string) {
    if (this.scripts) await this.press("Continue", this.step(title));
  }

  async giveDetails() {
    await this.field("Full name").fill(this.person.name);
    await this.field("E-mail").fill(this.person.email);
    await this.goOn("Who is taking the exam?");
    await this.field("Mobile number").fill(this.person.phone);
  }

  async sendCode() {
    await this.press("Send code", this.at("phone_number"));
    await expect(this.field("OTP")).toBeVisible();
  }

  async provePhone() {
    await this.giveDetails();
    await this.sendCode();
    await this.giveCode(await this.person.code());
    await this.expectVerified();
  }

  async expectVerified() {
    if (this.scripts) await expect(this.row("phone")).toContainText("Verified");
    else await expect(this.at("phone_number")).toContainText("Verified");
  }

  /** Opens a completed step that scripts have folded. */
  async to(step: string) {
    if (this.scripts) await this.press(`Change ${step}`);
  }

  /** Returns the row of a completed step; exists with scripts only. */
  row(step: string): Locator {
    return this.form.locator(".step-done").filter({ has: this.page.locator(`[value="change-${step}"]`) });
  }

  /** Enters a code. With scripts the sixth digit sends it. */
  async giveCode(code: string) {
    await this.field("OTP").fill(code);
    if (!this.scripts) await this.press("Verify", this.at("otp"));
  }

  async choose() {
    await this.field("Course").selectOption("Data Analytics");
    await this.field("State").selectOption("Maharashtra");
    await this.goOn("What do you want to be good at?");
    await this.field("I am 18 or older").check();
    await this.agree();
  }

  /** Chooses a course as a minor, and names the guardian. */
  async nameGuardian(phone: string, state = "Maharashtra") {
    await this.field("Course").selectOption("Data Analytics");
    await this.field("State").selectOption(state);
    await this.goOn("What do you want to be good at?");
    await this.field("I am under 18").check();
    await this.field("Guardian’s name").fill("Meera Verma");
    await this.field("Guardian’s mobile number").fill(phone);
  }

  get guardian(): Locator {
    return this.form.locator(".guardian");
  }

  async giveGuardianCode(code: string) {
    await this.field("Guardian’s OTP").fill(code);
    if (!this.scripts) await this.press("Verify", this.at("guardian_otp"));
  }

  async agree() {
    await this.form.getByRole("checkbox", { name: "I agree to the Terms & conditions" }).check();
  }

  /** Opens a fold unless it is open. */
  async unfold(summary: string) {
    const details = this.form.locator("details").filter({ hasText: summary });
    if (!(await details.evaluate((element) => (element as HTMLDetailsElement).open)))
      await details.getByText(summary).first().click();
  }

  async applyCoupon(code: string) {
    await this.unfold("Coupon code");
    await this.field("Coupon code").fill(code);
    await this.press("Apply", this.at("coupon_code"));
  }

  get price(): Locator {
    return this.form.locator(".ticket-stub");
  }

  async proceedToPay() {
    await this.press("PROCEED TO PAY");
  }

  /** Completes the form and continues to the checkout. */
  async complete(coupon?: string) {
    await this.provePhone();
    await this.choose();
    if (coupon) {
      await this.applyCoupon(coupon);
      await expect(this.price).toContainText(coupon);
    }
    await this.proceedToPay();
  }
}

/** Formats a phone number. */
export const mobile = (number: string): string => `+91 ${number.slice(0, 5)} ${number.slice(5)}`;

/** Escapes a text for a regular expression. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
