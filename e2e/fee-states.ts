// Paying for an application, and an application among a person's registrations, in every state.
import { expect, type Page } from "@playwright/test";
import { Application } from "./application.ts";
import { expectOutcome } from "./outcomes.ts";
import type { Outcome, Person } from "./person.ts";
import type { State } from "./states.ts";

/** Brings a signed-in person to the payment of an application. */
export async function agreed(page: Page, person: Person) {
  const application = new Application(page, person);
  await application.saved(3);
  await application.send("/hiresure/form/review", { agreed_terms_conditions: "true", do: "next" });
  const { scholarshipRegistrationData: all } = await (
    await person.call.get("/v2scholarship/v1/my-registration")
  ).json();
  const own = all.find((record: { program_name: string }) => record.program_name === "HireSure Scholarship");
  expect(own?.profile_step).toBe(4);
  person.registration = own.scholarship_requested_id;
}

/** Starts a payment and presses a button of the sandbox's checkout. */
export async function pays(person: Person, outcome?: Outcome) {
  const answer = await person.call.post("/hiresure/payment", { form: {}, maxRedirects: 0 });
  expect(answer.status()).toBe(303);
  person.payment = /^\/checkout\/(\w+)$/.exec(answer.headers().location ?? "")?.[1] ?? "";
  expect(person.payment, "the attempt").not.toBe("");
  if (outcome) await person.press(outcome);
}

type Look = (page: Page, person: Person, scripts: boolean) => Promise<unknown>;

/** State of an application by progress: saved steps, "agreed" before any payment, "open" during one, or its outcome. */
export const applied = (name: string, far: number | "agreed" | "open" | Outcome, look: Look): State => ({
  name,
  open: async ({ page, person, enrolment }) => {
    await person.at("signed up");
    if (typeof far === "number") await new Application(page, person).saved(far);
    else await agreed(page, person);
    if (far === "open") await pays(person);
    else if (typeof far === "string" && far !== "agreed") await pays(person, far);
    await look(page, person, enrolment.scripts);
  },
});

const fee: Look = async (page) => {
  await page.goto("/hiresure/payment");
  await expect(page).toHaveURL("/hiresure/payment");
};
/** Requests the deletion of the account before looking. */
const leaving =
  (look: Look): Look =>
  async (page, person, scripts) => {
    expect((await person.call.post("/account/data/delete", { form: {}, maxRedirects: 0 })).status()).toBe(303);
    await look(page, person, scripts);
    await expect(page.getByRole("link", { name: "Keep my account" })).toBeVisible();
  };
const checkout: Look = async (page, person) => page.goto(`/checkout/${person.payment}`);
const ended =
  (outcome: "paid" | "pending" | "failed"): Look =>
  async (page, person) => {
    await page.goto(`/hiresure/payment?kspay_id=${person.payment}`);
    await expectOutcome(page, outcome);
  };
const at =
  (path: string): Look =>
  async (page) => {
    await page.goto(path);
    await expect(page.getByText(/^HireSure (application|Scholarship)$/).first()).toBeVisible();
  };
const detail: Look = (page, person) => page.goto(`/hiresure/registration/${person.registration}`);
/** Outcome of a second attempt, and the link on the failed first attempt's page: an application's, an enrolment's. */
const besides = [
  ["open", undefined, "Continue to pay", "Continue to pay"],
  ["arrived", "paid", "Your payment", "Your ticket"],
  ["checked", "wrong_amount", "Your payment", "Your payment"],
] as const;
const leads = async (page: Page, failed: string, to: string) => {
  await page.goto(failed);
  await expect(page.getByRole("link", { name: to, exact: true })).toBeVisible();
};
const refunded = applied("fee, refunded", "paid", async (page, person) => {
  await person.refundAtProvider();
  await page.goto(`/hiresure/payment?kspay_id=${person.payment}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Refund sent");
});

export const feeStates: State[] = [
  applied("fee, to pay", "agreed", fee),
  applied("fee, still open", "open", fee),
  applied("fee, to try again", "failed", fee),
  applied("fee, to pay, deletion asked", "agreed", leaving(fee)),
  applied("fee, checkout", "open", checkout),
  applied("fee, checkout, deletion asked", "open", leaving(checkout)),
  applied("fee, paid", "paid", ended("paid")),
  { ...applied("fee, pending", "pending", ended("pending")), refreshes: true },
  applied("fee, failed", "failed", ended("failed")),
  ...besides.flatMap(([name, outcome, own, ticket]): State[] => [
    applied(`fee, failed, another ${name}`, "failed", async (page, person) => {
      const { payment } = person;
      await pays(person, outcome);
      await leads(page, `/hiresure/payment?kspay_id=${payment}`, own);
    }),
    {
      name: `success, failed, another ${name}`,
      open: async ({ page, person }) => {
        const { payment } = await person.at("failed");
        await person.startPayment();
        if (outcome) await person.press(outcome);
        await leads(page, `/success?kspay_id=${payment}`, ticket);
      },
    },
  ]),
  refunded,
  applied("fee, receipt", "paid", async (page, person) => page.goto(`/checkout/${person.payment}/receipt`)),
  applied("registration, application begun", 1, async (page) => {
    await page.goto("/hiresure/registration");
    await page.getByRole("link", { name: "View Details" }).click();
    await expect(page.getByText("Your form is next")).toBeVisible();
  }),
  applied("registration, application to pay", "agreed", detail),
  applied("registration, application failed", "failed", detail),
  applied("registration, application paid", "paid", detail),
  applied("registrations, application", "paid", at("/hiresure/registration")),
  applied("home, application begun", 2, at("/hiresure")),
  applied("home, application to pay", "agreed", at("/hiresure")),
  applied("home, application waits for the bank", "pending", at("/hiresure")),
  applied("home, application paid", "paid", at("/hiresure")),
  {
    name: "home, application and enrolment",
    open: async ({ page, person }) => {
      await person.at("signed up");
      await person.at("paid", "MGROW500");
      await agreed(page, person);
      await pays(person, "paid");
      await page.goto("/hiresure");
      await expect(page.getByText("Upload your documents, Asha")).toBeVisible();
    },
  },
  {
    name: "registrations, application and enrolment",
    open: async ({ page, person }) => {
      await person.at("signed up");
      await person.at("paid", "MGROW500");
      await agreed(page, person);
      await pays(person, "failed");
      await page.goto("/hiresure/registration");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 needs action");
    },
  },
];
