// The pages of the application's form, in every state.
import { expect, type Page } from "@playwright/test";
import { Application, answers, type Step } from "./application.ts";
import type { State } from "./states.ts";

type Answers = Partial<Record<Step, Record<string, string>>>;

const at = (
  name: string,
  saved: number,
  path: string,
  act: (at: Application) => Promise<unknown> = async () => {},
  changes: Answers = {},
): State => ({
  name: `application, ${name}`,
  open: async ({ page, person }) => {
    await person.at("signed up");
    const application = new Application(page, person);
    await application.saved(saved, changes);
    await application.open(path);
    await act(application);
  },
});

const scripted = (name: string, act: (at: Application) => Promise<unknown>): State => ({
  ...at(`step 2, ${name}`, 1, "academic", act),
  needs: "scripts",
});

const question = (page: Page, text: string) => expect(page.getByRole("heading", { level: 1 })).toHaveText(text);

const minor = at("guardian", 0, "personal", async (form) => {
  await form.fillPersonal();
  await form.born("14", "08", "2010");
  await form.press("NEXT");
  await question(form.page, "A parent or guardian agrees first");
});

const guardianAsked = async (form: Application) => {
  await form.field("Guardian’s mobile number").fill(form.person.guardian);
  await form.press("Send code");
  await expect(form.field("OTP")).toBeVisible();
};

const guardian = (name: string, act: (form: Application) => Promise<unknown>): State => ({
  name: `application, guardian, ${name}`,
  open: async (visitor) => {
    await minor.open(visitor);
    await act(new Application(visitor.page, visitor.person));
  },
});

export const applicationStates: State[] = [
  {
    name: "application, door with an exam",
    open: async ({ page, person }) => {
      await person.at("signed up");
      await person.at("paid", "MGROW500");
      await page.goto("/hiresure/verify");
      await expect(page.getByText("does not need it.")).toBeVisible();
    },
  },
  {
    name: "application, door, signed out",
    open: async ({ page }) => {
      await page.goto("/hiresure/verify");
      await expect(page.getByText("Sign in to start.")).toBeVisible();
    },
  },
  {
    name: "application, begin",
    open: async ({ page, person }) => {
      await person.at("signed up");
      await page.goto("/hiresure/form");
      await expect(page).toHaveURL("/hiresure/verify");
    },
  },
  at("step 1, empty", 0, "personal"),
  at("step 1", 1, "personal", async () => {}, { personal: { state: "Karnataka" } }),
  at("step 1, errors", 0, "personal", async (form) => {
    await form.fillPersonal();
    await form.field("MM, month").fill("");
    await form.field("Address").fill("Thycaud");
    await form.field("Pin Code").fill("69500");
    await form.press("NEXT");
    await expect(form.page.getByRole("heading", { name: "3 answers to correct" })).toBeVisible();
  }),
  at("step 1, one error", 0, "personal", async (form) => {
    await form.fillPersonal();
    await form.born("31", "02", "2005");
    await form.press("NEXT");
    await expect(form.page.getByText("Date input not valid.")).toBeVisible();
  }),
  at("step 2, empty", 1, "academic"),
  at("step 2", 2, "academic"),
  at("step 2, half typed", 1, "academic", async (form) => {
    await form.field("Course Enrolled").fill("B.Sc.");
    await form.press("BACK");
    await form.open("academic");
    await expect(form.field("Course Enrolled")).toHaveValue("B.Sc.");
    await expect(form.page.getByRole("link", { name: "Discard draft" })).toBeVisible();
  }),
  at("step 2, draft to discard", 1, "academic", async (form) => {
    await form.field("Course Enrolled").fill("B.Sc.");
    await form.press("BACK");
    await form.open("academic");
    await form.page.getByRole("link", { name: "Discard draft" }).click();
    await question(form.page, "Discard this draft?");
  }),
  at("step 3, empty", 2, "scholarship"),
  at("step 3", 3, "scholarship"),
  at("step 3, errors", 2, "scholarship", async (form) => {
    await form.field("Yes").check();
    await form.field("Annual Family Income").fill("plenty");
    await form.field("Reason for Scholarship Request").fill("Money");
    await form.press("NEXT");
    await expect(form.page.getByRole("heading", { name: "3 answers to correct" })).toBeVisible();
  }),
  at("two tabs", 1, "academic", async (form) => {
    await form.fillAcademic();
    await form.field("Course Enrolled").fill("B.Com.");
    await form.field("Percentage (or CGPA)").fill("8.1 CGPA");
    await form.send("/hiresure/form/academic", { ...answers.academic, do: "next" });
    await form.press("NEXT");
    await question(form.page, "Two answers differ. Which ones stay?");
  }),
  at("review", 3, "review"),
  at("review, error", 3, "review", async (form) => {
    await form.press("SUBMIT");
    await expect(form.page.getByText("Please check terms and conditions")).toBeVisible();
  }),
  at("review, choices", 3, "review", async (form) => {
    await form.page.getByText("News, sharing and reminders").click();
  }),
  at("review, half typed, changed meanwhile", 3, "academic", async (form) => {
    await form.field("Course Enrolled").fill("B.Com.");
    await form.press("BACK");
    await form.open("review");
    await form.send("/hiresure/form/personal", { ...answers.personal, zip: "695002", do: "next" });
    await form.field("I agree to the Terms & conditions, the Refund Policy and the Legal Disclosure").check();
    await form.press("SUBMIT");
    await expect(form.page.getByText("Something on this page has changed since you opened it.")).toBeVisible();
  }),
  minor,
  guardian("errors", async (form) => {
    await form.field("Father/Guardian Name").fill("");
    await form.field("Guardian’s mobile number").fill(form.person.phone);
    await form.press("Send code");
    await expect(form.page.getByRole("heading", { name: "2 answers missing" })).toBeVisible();
  }),
  guardian("code sent", guardianAsked),
  guardian("code wrong", async (form) => {
    await guardianAsked(form);
    const code = Number(await form.person.code(form.person.guardian));
    await form.field("OTP").fill(String((code + 1) % 1_000_000).padStart(6, "0"));
    await form.press("Verify");
    await expect(form.field("OTP")).toHaveAccessibleDescription(/Invalid OTP/);
  }),
  scripted("saved", async (form) => {
    await form.field("Course Enrolled").fill("B.Sc. Statistics");
    await expect(form.page.locator(".rail .saved")).toHaveText(/^Saved/);
  }),
  scripted("offline", async (form) => {
    const kept = form.page.waitForResponse(/save-form-draft/);
    await form.field("Current Institution/College/School").fill("Sarovara College of Engineering");
    await form.field("Course Enrolled").fill("B.Sc. Statistics");
    await kept;
    await expect(form.page.locator(".rail .saved")).toHaveText(/^Saved/);
    await form.page.evaluate(() => {
      Object.defineProperty(navigator, "onLine", { get: () => false }); // not really offline, because the checks load their tools
      dispatchEvent(new Event("offline"));
    });
    await form.field("Exam Name").fill("HSC");
    await expect(form.page.locator(".rail .saved")).toHaveText(/^Kept here/);
  }),
  scripted("another tab was faster", async (form) => {
    await form.send("/hiresure/form/academic", { ...answers.academic, do: "next" });
    await form.field("Course Enrolled").fill("B.Com.");
    await expect(form.page.getByRole("button", { name: "Choose answers" })).toBeVisible();
  }),
  scripted("signed out while typing", async (form) => {
    await form.person.forget();
    await form.field("Course Enrolled").fill("B.Com.");
    await expect(form.page.getByRole("link", { name: "Sign in again" })).toBeVisible();
  }),
  at("signed out in the middle", 1, "academic", async (form) => {
    await form.fillAcademic();
    await form.person.forget();
    await form.press("NEXT");
    await question(form.page, "Sign in, or see your ticket");
  }),
];
