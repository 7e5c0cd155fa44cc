import type { Locator } from "@playwright/test";
import { landing } from "../enrolment.ts";
import { unfoldEnquiry } from "../states.ts";
import { expect, test } from "../test.ts";

test.beforeEach(async ({ person, scripts }) => {
  if (!scripts) await person.at("human");
});

/** Waits until the form's script runs; without it a press opens the page of the human check. */
async function takenOver(form: Locator) {
  await form.getByLabel("Message").focus();
  await expect(form.getByRole("combobox", { name: "Country" })).toHaveValue("India (+91)");
}

test("an enquiry is sent and acknowledged by mail", async ({ page, person, scripts }) => {
  await page.goto(landing);
  const form = await unfoldEnquiry(page);
  if (scripts) await takenOver(form);
  await form.getByLabel("Your full name").fill(person.name);
  await form.getByLabel("Your e-mail").fill(person.email);
  await form.getByLabel("Mobile number").fill(person.phone);
  await form.getByLabel("Message").fill("Is the exam in Hindi too?");
  await form.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Request successfully submitted.").first()).toBeVisible();
  const mail = await person.mail("We have your question: ");
  const reference = mail.subject.replace("We have your question: ", "");
  const sent = page.getByRole("group", { name: "Request successfully submitted." });
  await expect(sent).toBeFocused();
  await expect(sent).toHaveAccessibleDescription(`Your reference number ${reference}`);
  await expect(page.getByText("Request successfully submitted.")).toHaveCount(1);
  expect(mail.body).toContain(reference);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveCount(0);
  await sent.getByRole("link", { name: "Ask something else" }).click();
  await expect(page).toHaveURL(/hiresure-mgrow-2025#enquiry$/);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible(); // the form is unfolded
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("");
});

test("errors are at their fields and in a summary, input stays, nothing is sent", async ({ page, person, scripts }) => {
  await page.goto(landing);
  const typed = { "Your full name": "A1", "Your e-mail": "asha@", "Mobile number": "12345", Message: "Is it online?" };
  const contact = await unfoldEnquiry(page);
  if (scripts) await takenOver(contact);
  for (const [label, text] of Object.entries(typed)) await contact.getByLabel(label).fill(text);
  await contact.getByRole("button", { name: "Send", exact: true }).click();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Send", exact: true }) });
  const summary = form.getByRole("group", { name: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  const faults = {
    "Your full name":
      "Full Name must be 3-50 characters long and contain only letters and spaces! Please take out “1”.",
    "Your e-mail": "Invalid email format!",
    "Mobile number": "Indian phone number must start with 6-9 and be exactly 10 digits.",
  };
  for (const [label, message] of Object.entries(faults)) {
    await expect(form.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
    await expect(form.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message));
    await expect(summary.getByRole("link", { name: message, exact: true })).toBeVisible();
  }
  for (const [label, text] of Object.entries(typed)) await expect(form.getByLabel(label)).toHaveValue(text);
  await summary.getByRole("link", { name: "Invalid email format!" }).click();
  await expect(form.getByLabel("Your e-mail")).toBeFocused();

  // A second enquiry's mail arrives, which proves that the first one's was never sent.
  await form.getByLabel("Your full name").fill("Ravi Nair");
  await form.getByLabel("Your e-mail").fill(person.email);
  await form.getByLabel("Mobile number").fill(person.phone);
  await form.getByRole("button", { name: "Send", exact: true }).click();
  await person.mail("We have your question: ");
  expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
});

test("an empty form shows what is required @once", async ({ page }) => {
  await page.goto(landing);
  await (await unfoldEnquiry(page)).getByRole("button", { name: "Send", exact: true }).click();
  const summary = page.getByRole("group", { name: "There is a problem" });
  for (const message of ["Full Name is required!", "Email is required!", "Phone number is required!"])
    await expect(summary).toContainText(message);
});
