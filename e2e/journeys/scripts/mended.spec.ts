// While an error is corrected key by key, its message disappears and the field neither moves nor loses the focus.
import type { Locator, Page } from "@playwright/test";
import { Application, answers } from "../../application.ts";
import { landing } from "../../enrolment.ts";
import { unfoldEnquiry } from "../../states.ts";
import { expect, test } from "../../test.ts";

/** Presses keys in a field and checks after each that the field is still focused. */
async function mend(field: Locator, ...keys: string[]) {
  await field.focus();
  const name = await field.evaluate(({ id }) => id);
  for (const key of keys) {
    await field.page().keyboard.press(key);
    const where = await field.page().evaluate(
      (id) =>
        new Promise<string>((tell) =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              const field = document.getElementById(id);
              const has = document.activeElement?.id || document.activeElement?.tagName;
              tell(`${has}, ${field?.checkVisibility() && field.offsetHeight > 8 ? "seen" : "not seen"}`);
            }),
          ),
        ),
      name,
    );
    expect(where, `after ${key} in ${name}`).toBe(`${name}, seen`);
  }
}

const mendAll = async (field: Locator, text: string) => mend(field, "Control+a", "Backspace", ...text);

for (const width of [360, 1280]) {
  const open = async (page: Page) => page.setViewportSize({ width, height: 800 });

  test(`each field of an enrolment, at ${width} px @long`, async ({ page, person, enrolment }) => {
    await open(page);
    await enrolment.open();
    await enrolment.press("Continue");
    await mendAll(enrolment.field("Full name"), person.name);
    await mendAll(enrolment.field("E-mail"), person.email);
    await enrolment.press("Continue");
    await enrolment.press("Send code", enrolment.at("phone_number"));
    await mendAll(enrolment.field("Mobile number"), person.phone);
    await enrolment.sendCode();
    await enrolment.giveCode(await person.wrongCode());
    await enrolment.expectError(enrolment.field("OTP"), "Invalid OTP");
    await mend(enrolment.field("OTP"), "Backspace", ..."12345");
    await enrolment.giveCode(await person.code());
    await enrolment.expectVerified();
    await enrolment.press("Continue");
    await mend(enrolment.field("Course"), "D");
    await mend(enrolment.field("State"), "M", "a", "h");
    await enrolment.unfold("College or referral code");
    await enrolment.optional("College or organization").fill("A1");
    await mendAll(enrolment.optional("College or organization"), "Sarovara");
    await enrolment.press("Continue");
    await mend(enrolment.field("I am under 18"), " ");
    await enrolment.press("Send code", enrolment.guardian);
    await mendAll(enrolment.field("Guardian’s name"), "Ravi Verma");
    await mendAll(enrolment.field("Guardian’s mobile number"), person.guardian);
    await enrolment.unfold("Coupon code");
    await enrolment.applyCoupon("NOPE99");
    await enrolment.expectError(enrolment.field("Coupon code"), "Invalid coupon code. Please check and try again.");
    await mendAll(enrolment.field("Coupon code"), "MGROW500");
    await mend(enrolment.form.getByRole("checkbox", { name: "I agree to the Terms & conditions" }), " ");
    await enrolment.to("phone");
    await expect(enrolment.at("phone_number")).toContainText("Verified");
    await mend(enrolment.field("Mobile number"), "Backspace", person.phone.at(-1) ?? "");
  });

  test(`each field of an application, at ${width} px @long`, async ({ page, person }) => {
    await person.at("signed up");
    await open(page);
    const form = new Application(page, person);
    const steps: [string, () => Promise<void>][] = [
      [
        "personal",
        async () => {
          await mend(form.field("DD, day"), ..."14");
          await mend(form.field("MM, month"), ..."08");
          await mend(form.field("YYYY, year"), ..."2005");
          await mend(form.field("Gender"), "F");
          await mendAll(form.field("Father/Guardian Name"), "Suresh Pillai");
          await mendAll(form.field("Address"), answers.personal.address ?? "");
          await mend(form.field("State"), "K", "e");
          await mendAll(form.field("Pin Code"), "695001");
        },
      ],
      [
        "academic",
        async () => {
          await mendAll(form.field("Current Institution/College/School"), "Sarovara College");
          await mendAll(form.field("Course Enrolled"), "B.Sc. Statistics");
          await mend(form.field("Semester"), "S", "e");
          await mendAll(form.field("Exam Name"), "HSC");
          await mend(form.field("Year"), "2", "0");
          await mendAll(form.field("Percentage (or CGPA)"), "81.4");
        },
      ],
      [
        "scholarship",
        async () => {
          await mend(form.field("Yes"), " ");
          await mendAll(form.field("Other scholarship details"), "State merit scholarship");
          await mendAll(form.field("Annual Family Income"), "3,20,000");
          await mendAll(form.field("Reason for Scholarship Request"), "My brother starts college next year.");
        },
      ],
    ];
    for (const [index, [step, mendStep]] of steps.entries()) {
      await form.saved(index);
      await form.open(step);
      await page.locator("form.application-form input.input, form.application-form input[type=radio]").first().focus();
      await page.locator(".island-root[data-live]").waitFor();
      await form.press("NEXT");
      await expect(page.locator(".error-summary")).toBeFocused();
      await mendStep();
    }
  });

  test(`each field of an enquiry, at ${width} px${width === 360 ? "" : " @long"}`, async ({ page, person }) => {
    await open(page);
    await page.goto(landing);
    const form = await unfoldEnquiry(page);
    await form.getByLabel("Your full name").focus();
    await expect(form.getByRole("combobox", { name: "Country" })).toHaveValue("India (+91)"); // the script has loaded
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.locator("#contact .error-summary")).toBeFocused();
    await mendAll(form.getByLabel("Your full name"), person.name);
    await mendAll(form.getByLabel("Your e-mail"), person.email);
    await mendAll(form.getByRole("combobox", { name: "Country" }), "india");
    await mend(form.getByRole("combobox", { name: "Country" }), "Enter");
    await mendAll(form.getByLabel("Mobile number"), person.phone);
    await mendAll(form.getByLabel("Message"), "Is it online?");
  });
}
