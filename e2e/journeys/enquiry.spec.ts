import { landing } from "../enrolment.ts";
import { expect, test } from "../test.ts";

test.beforeEach(async ({ person, scripts }) => {
  if (!scripts) await person.at("human");
});

test("a question is sent, and acknowledged by mail", async ({ page, person }) => {
  await page.goto(landing);
  const form = page.locator("#contact");
  await form.getByLabel("Full name").fill(person.name);
  await form.getByLabel("E-mail").fill(person.email);
  await form.getByLabel("Mobile number").fill(person.phone);
  await form.getByLabel("Message").fill("Is the exam in Hindi too?");
  await form.getByRole("button", { name: "Send my question" }).click();
  await expect(page.getByText("Request successfully submitted.").first()).toBeVisible();
  const mail = await person.mail("We have your question: ");
  const reference = mail.subject.replace("We have your question: ", "");
  await expect(page.locator("form").filter({ hasText: reference })).toBeVisible();
  expect(mail.body).toContain(reference);
  await expect(page.getByLabel("Message").last()).toHaveValue("");
});

test("what is wrong is said at its field and in a summary, what was typed stays, nothing is sent", async ({
  page,
  person,
}) => {
  await page.goto(landing);
  const typed = { "Full name": "A1", "E-mail": "asha@", "Mobile number": "12345", Message: "Is it online?" };
  const contact = page.locator("#contact");
  for (const [label, text] of Object.entries(typed)) await contact.getByLabel(label).fill(text);
  await contact.getByRole("button", { name: "Send my question" }).click();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Send my question" }) });
  const summary = form.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  const faults = {
    "Full name": "Full Name must be 3-50 characters long and contain only letters and spaces!",
    "E-mail": "Invalid email format!",
    "Mobile number": "Indian phone number must start with 6-9 and be exactly 10 digits.",
  };
  for (const [label, message] of Object.entries(faults)) {
    await expect(form.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
    await expect(form.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message));
    await expect(summary.getByRole("link", { name: message })).toBeVisible();
  }
  for (const [label, text] of Object.entries(typed)) await expect(form.getByLabel(label)).toHaveValue(text);
  await summary.getByRole("link", { name: "Invalid email format!" }).click();
  await expect(form.getByLabel("E-mail")).toBeFocused();

  // A second person's question shows that mails do arrive, and that the first one's did not set out.
  await form.getByLabel("Full name").fill("Ravi Nair");
  await form.getByLabel("E-mail").fill(person.email);
  await form.getByLabel("Mobile number").fill(person.phone);
  await form.getByRole("button", { name: "Send my question" }).click();
  await person.mail("We have your question: ");
  expect((await person.mails()).filter(({ channel }) => channel === "email")).toHaveLength(1);
});

test("an empty form says what is required", async ({ page }) => {
  await page.goto(landing);
  await page.locator("#contact").getByRole("button", { name: "Send my question" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  for (const message of ["Full Name is required!", "Email is required!", "Phone number is required!"])
    await expect(summary).toContainText(message);
});
