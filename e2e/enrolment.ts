import { expect, type Locator, type Page } from "@playwright/test";
import type { Person } from "./person.ts";

export const landing = "/scholarship/hiresure-mgrow-2025";

/** The enrolment form as a person works with it, with or without scripts. */
export class Enrolment {
  readonly form: Locator;
  readonly summary: Locator;

  constructor(
    readonly page: Page,
    readonly person: Person,
    readonly scripts: boolean,
  ) {
    this.form = page.getByRole("form", { name: "Enrolment" });
    this.summary = this.form.getByRole("group", { name: "There is a problem" });
  }

  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true });
  }
  optional(label: string): Locator {
    return this.field(`${label} (optional)`);
  }
  /** The message that stands at a field, and that a screen reader reads with it. */
  async expectError(field: Locator, message: string) {
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(literally(message)));
  }
  /** The part of the form that belongs to a field: its button, what was said there. */
  at(name: string): Locator {
    return this.form.locator(`[data-field="${name}"]`);
  }

  /** Opens the form, with scripts once they have taken it over. A visitor without scripts passed the human check before. */
  async open(address = landing) {
    if (!this.scripts) await this.person.at("human");
    await this.page.goto(address);
    await this.takenOver();
  }

  /** Touches the form and waits until its script has it: from then on a press does not leave the page. */
  async takenOver() {
    if (!this.scripts) return;
    await this.form.locator(":is(.input, .check):visible").first().focus();
    await this.hydrated();
  }

  /** Waits until the form's script has it. */
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

  /** The step that is open; with scripts there is one at a time. */
  step(title: string): Locator {
    return this.form.getByRole("group", { name: title, exact: true });
  }

  /** With scripts a step that is filled in is folded, and the next one opens. */
  async goOn(title: string) {
    if (this.scripts) await this.press("Continue", this.step(title));
  }

  async giveDetails() {
    await this.field("Full name").fill(this.person.name);
    await this.field("E-mail").fill(this.person.email);
    await this.goOn("Who sits the exam?");
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

  /** Opens a step that is done, where scripts have folded it. */
  async to(step: string) {
    if (this.scripts) await this.press(`Change ${step}`);
  }

  /** What a step that is done says of itself, with scripts. */
  row(step: string): Locator {
    return this.form.locator(".step-done").filter({ has: this.page.locator(`[value="change-${step}"]`) });
  }

  /** With scripts the sixth digit verifies by itself. */
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

  async agree() {
    await this.form.getByRole("checkbox", { name: "I agree to the Terms & conditions" }).check();
  }

  /** Opens what is folded, where it is. */
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

  /** Fills the form as it should be, and goes on to the checkout. */
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

/** A number as people read it. */
export const mobile = (number: string): string => `+91 ${number.slice(0, 5)} ${number.slice(5)}`;

/** A text as a pattern that means nothing but itself. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A field in a summary, as it is heard: its name, and its message, which stands at the field. */
export const listed = (label: string, message: string): RegExp => new RegExp(`^${label} ?: ${literally(message)}$`);
