import { expect, type Locator, type Page } from "@playwright/test";
import table from "../forms/cases.json" with { type: "json" };
import hiresure from "../forms/hiresure.json" with { type: "json" };
import type { Person } from "./person.ts";

/** The form's pages in order. */
export type Step = "personal" | "academic" | "scholarship";

/** Good answers to each step by field name. */
const good = (step: Step): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table.good.hiresure).filter(
      ([name]) => hiresure.fields.find((field) => field.name === name)?.group === step,
    ),
  );

/** Values that an applicant types into a step. */
export const answers: Record<Step, Record<string, string>> = {
  personal: {
    ...good("personal"),
    fatherName: "Suresh Pillai",
    address: "TC 24/118, Temple Road, Thycaud, Thiruvananthapuram",
    state: "Kerala",
    zip: "695001",
  },
  academic: {
    ...good("academic"),
    institution: "Sarovara College of Engineering",
  },
  scholarship: {
    ...good("scholarship"),
    details: "State merit scholarship, 12,000 a year, since 2024",
    reason:
      "My brother starts college next year. With the tuition paid I can finish the course without working nights.",
  },
};

const steps = Object.keys(answers) as Step[];

/** Page object of the application's form, with or without scripts. */
export class Application {
  constructor(
    readonly page: Page,
    readonly person: Person,
  ) {}

  /** Saves the first count steps for a signed-in person by posts, without opening their pages. */
  async saved(count: number, page: Partial<Record<Step, Record<string, string>>> = {}) {
    await this.send("/hiresure/verify", { do: "begin" });
    for (const step of steps.slice(0, count))
      await this.send(`/hiresure/form/${step}`, { ...answers[step], ...page[step], do: "next" });
  }

  /** Posts a page as another tab would. */
  async send(path: string, form: Record<string, string>) {
    const answer = await this.person.call.post(path, { form, maxRedirects: 0 });
    expect(answer.status(), path).toBe(303);
  }

  async open(page: string) {
    await this.page.goto(`/hiresure/form/${page}`);
    await expect(this.page).toHaveURL(`/hiresure/form/${page}`);
  }

  /** Waits until the form is hydrated. */
  async takenOver() {
    await this.page.locator("form.application-form input.input").first().focus();
    await this.page.locator(".island-root[data-live]").waitFor();
  }

  field(label: string): Locator {
    return this.page.locator("main").getByLabel(label, { exact: true });
  }

  async press(button: string) {
    await this.page.locator("main").getByRole("button", { name: button, exact: true }).click();
  }

  /** Types a date of birth into its three fields. */
  async born(day: string, month: string, year: string) {
    await this.field("DD, day").fill(day);
    await this.field("MM, month").fill(month);
    await this.field("YYYY, year").fill(year);
  }

  async fillPersonal() {
    await this.born("14", "08", "2005");
    await this.field("Gender").selectOption("Female");
    await this.field("Father/Guardian Name").fill("Suresh Pillai");
    await this.field("Address").fill(answers.personal.address ?? "");
    await this.field("State").selectOption("Kerala");
    await this.field("Pin Code").fill("695001");
  }

  async fillAcademic() {
    await this.field("Current Institution/College/School").fill("Sarovara College of Engineering");
    await this.field("Course Enrolled").fill("B.Sc. Statistics");
    await this.field("Semester").selectOption("Semester 5");
    await this.field("Exam Name").fill("HSC");
    await this.field("Year").selectOption("2024");
    await this.field("Percentage (or CGPA)").fill("81.4");
  }

  async fillScholarship() {
    await this.field("Yes").check();
    await this.field("Other scholarship details").fill(answers.scholarship.details ?? "");
    await this.field("Annual Family Income").fill("3,20,000");
    await this.field("Reason for Scholarship Request").fill(answers.scholarship.reason ?? "");
  }
}
