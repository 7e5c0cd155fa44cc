// Every page of the product in every state that a visitor can meet, for the checks that hold for all of them.
import { expect, type Page } from "@playwright/test";
import { accountStates } from "./account-states.ts";
import { applicationStates } from "./application-states.ts";
import { documentStates } from "./document-states.ts";
import { type Enrolment, landing } from "./enrolment.ts";
import { feeStates } from "./fee-states.ts";
import { myDataStates } from "./mydata-states.ts";
import type { Step } from "./person.ts";
import { registrationStates } from "./registration-states.ts";
import { staffStates } from "./staff-states.ts";
import type { Visitor } from "./test.ts";
import { ticketStates } from "./ticket-states.ts";

/** Brings a visitor's page into a state. Works with and without scripts, but for those marked otherwise. */
export interface State {
  name: string;
  open: (visitor: Visitor) => Promise<unknown>;
  needs?: "scripts" | "no scripts";
  refreshes?: true; // by itself, every few seconds, where no script asks whether the payment has ended
  titles?: number; // headings of the first level, where it shows other pages' parts
  dev?: true; // shown to those who build the product only
}

const address = (name: string, path: string): State => ({
  name,
  open: async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(path);
  },
});

const enrolment = (name: string, act: (enrolment: Enrolment, visitor: Visitor) => Promise<unknown>): State => ({
  name: `enrolment, ${name}`,
  open: async (visitor) => {
    await visitor.enrolment.open();
    await act(visitor.enrolment, visitor);
  },
});

const afterPayment = (name: string, step: Step, path: (txn: string) => string, coupon?: string): State => ({
  name,
  open: async ({ page, person }) => {
    await person.at(step, coupon);
    await page.goto(path(person.payment));
  },
});
/** Somebody whose e-mail address has 60 letters and no place to break it. */
const aLongAddress = (name: string, step: Step, path: (txn: string) => string): State => {
  const { open } = afterPayment(name, step, path);
  return {
    name,
    open: async (visitor) => {
      visitor.person.email = `${`asha${visitor.person.phone}`.padEnd(48, "a")}@example.com`;
      await open(visitor);
      await expect(visitor.page.getByText(visitor.person.email).first()).toBeVisible();
    },
  };
};
const afterRefund = (name: string, path: (txn: string) => string): State => ({
  name,
  open: async ({ page, person }) => {
    await person.at("paid", "MGROW500");
    await person.refundAtProvider();
    await page.goto(path(person.payment));
  },
});
const paidTwice = (name: string, path: (txn: string) => string): State => ({
  name,
  open: async ({ page, person }) => {
    await person.at("paid");
    await person.afterPayment("second_charge", "sent");
    await page.goto(path(person.payment));
  },
});
const anothersNumber = (name: string, step: Step): State => ({
  name,
  open: async ({ page, person }) => {
    await person.at(step);
    await page.goto(`/pay?scholarship_requested_id=${person.registration}&typed=another`);
  },
});
const result = (txn: string) => `/success?kspay_id=${txn}`;

/** The enquiry form is behind a button on phones. */
export async function unfoldEnquiry(page: Page) {
  const place = page.locator("#contact");
  const unfold = place.getByText("Write to us", { exact: true });
  if (await unfold.isVisible()) await unfold.click();
  return place;
}

async function ask(page: Page, values: Record<string, string>) {
  await page.goto(landing);
  const place = await unfoldEnquiry(page);
  for (const [label, value] of Object.entries(values)) await place.getByLabel(label).fill(value);
  await place.getByRole("button", { name: "Send", exact: true }).click();
}

async function complain(page: Page, values: Record<string, string>) {
  await page.goto("/legal/grievance");
  const form = page.locator("form").filter({ has: page.getByLabel("What is it about?") });
  for (const [label, value] of Object.entries(values)) {
    const field = form.getByLabel(label);
    if (label === "What is it about?") await field.selectOption(value);
    else await field.fill(value);
  }
  await form.getByRole("button").last().click();
}

export const states: State[] = [
  address("landing", landing),
  address("landing, second event", "/scholarship/hiresure-campus-2026"),
  address("courses", `${landing}/courses`),
  address("courses, second event", "/scholarship/hiresure-campus-2026/courses"),
  address("course", `${landing}/courses/data-analytics`),
  address("course, coupon in the address", `${landing}/courses/blockchain?couponCode=MGROW500`),
  address("course, second event", "/scholarship/hiresure-campus-2026/courses/cyber-security"),
  address("exam", `${landing}/exam`),
  address("exam, second event", "/scholarship/hiresure-campus-2026/exam"),
  {
    name: "exam, answers",
    open: async ({ page }) => {
      await page.goto(`${landing}/exam`);
      await page.getByText("Show the answers").click();
      await expect(page.getByText("Seven days before the 14th is the 7th.")).toBeVisible();
    },
  },
  {
    name: "landing, film",
    open: async ({ page }) => {
      await page.goto(landing);
      await page.getByRole("button", { name: "Play: HireSure in one minute" }).click();
      await expect(page.getByRole("dialog", { name: "HireSure in one minute" })).toBeVisible();
      await page.getByText("Read what it says").click();
    },
  },
  {
    name: "landing, rank 180",
    needs: "scripts",
    open: async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 800 }); // smaller screens have no slider
      await page.goto(landing);
      await page.getByRole("slider", { name: "Choose a rank" }).fill("180");
      await expect(page.locator("#rank output")).toContainText("Rank 180 pays ₹1,499");
    },
  },
  address("apply", "/apply/hiresure-mgrow-2025"),
  address("apply, second event", "/apply/hiresure-campus-2026"),
  address("questions", "/scholarship/hiresure-mgrow-2025/questions"),
  address("questions, found", "/scholarship/hiresure-mgrow-2025/questions?q=tuition"),
  address("questions, not found", "/scholarship/hiresure-mgrow-2025/questions?q=hostel"),
  address("coupon in the address", `${landing}?couponCode=MGROW500`),
  address("coupon in the address, unknown", `${landing}?couponCode=NOSUCH`),
  address("home", "/hiresure"),
  address("home, logged out", "/hiresure#signed-out"),
  address("privacy notice", "/legal/privacy"),
  address("terms", "/legal/terms"),
  address("refund policy", "/legal/refund-policy"),
  address("legal disclosure", "/legal/legal-disclosure"),
  address("grievance", "/legal/grievance"),
  {
    name: "grievance, errors",
    open: async ({ page, person }) => {
      await person.at("human");
      await complain(page, { "Full name": "A1", "E-mail": "asha@" });
      await expect(page.getByText("There is a problem")).toBeVisible();
    },
  },
  {
    name: "grievance, sent",
    open: async ({ page, person }) => {
      await person.at("human");
      await complain(page, {
        "Full name": person.name,
        "E-mail": person.email,
        "What is it about?": "payment",
        Message: "I paid on Monday, and have not heard from you since.",
      });
      await expect(page.getByText(/GRV-/).first()).toBeVisible();
    },
  },
  {
    name: "enquiry, errors",
    open: async ({ page, person }) => {
      await person.at("human");
      await ask(page, { "Your full name": "A1", "Your e-mail": "asha@", "Mobile number": "12" });
      await expect(page.getByText("There is a problem")).toBeVisible();
    },
  },
  {
    name: "enquiry, sent",
    open: async ({ page, person }) => {
      await person.at("human");
      await ask(page, { "Your full name": person.name, "Your e-mail": person.email, "Mobile number": person.phone });
      await expect(page.getByText("Request successfully submitted.").first()).toBeVisible();
    },
  },
  {
    name: "enquiry, countries",
    needs: "scripts",
    open: async ({ page }) => {
      await page.goto(landing);
      await (await unfoldEnquiry(page)).getByLabel("Your full name").focus();
      const country = page.getByRole("combobox", { name: "Country" });
      await expect(country).toHaveValue("India (+91)"); // the list of options has become a search
      await country.fill("united");
      await expect(page.locator("#contact").getByRole("listbox").getByRole("option").first()).toBeVisible();
    },
  },
  {
    name: "human check",
    needs: "no scripts",
    open: async ({ page, person }) => {
      await ask(page, { "Your full name": person.name, "Your e-mail": person.email, "Mobile number": person.phone });
      await expect(page.getByRole("button", { name: "I am a person, continue" })).toBeVisible();
    },
  },
  enrolment("pay pressed early", async (form) => {
    await form.proceedToPay();
    await expect(form.toDo).toBeVisible();
  }),
  enrolment("pay pressed early, errors", async (form) => {
    await form.field("Full name").fill("A1");
    await form.field("E-mail").fill("asha@");
    await form.proceedToPay();
    await expect(form.toDo).toBeVisible();
  }),
  enrolment("code sent", async (form) => {
    await form.giveDetails();
    await form.sendCode();
  }),
  enrolment("no code comes", async (form) => {
    await form.giveDetails();
    await form.sendCode();
    await form.unfold("No SMS?");
    await expect(form.form).toContainText("Still nothing? Call");
  }),
  {
    ...enrolment("number changed", async (form, { person }) => {
      await form.provePhone();
      await form.to("phone");
      await form.field("Mobile number").fill(person.guardian);
      await expect(form.at("phone_number")).toContainText("The new number needs a code of its own. Keep");
    }),
    needs: "scripts",
  },
  enrolment("code wrong", async (form, { person }) => {
    await form.giveDetails();
    await form.sendCode();
    await form.giveCode(await person.wrongCode());
    await form.expectError(form.field("OTP"), "Invalid OTP");
  }),
  enrolment("code asked for elsewhere", async (form, { person }) => {
    await person.at("code sent");
    await form.giveDetails();
    await form.press("Send code", form.at("phone_number"));
    await expect(form.at("phone_number")).toContainText("A code went to this number a moment ago.");
  }),
  {
    ...enrolment("referral code applied", async (form) => {
      await form.provePhone();
      await form.unfold("College or referral code");
      await form.optional("Referral code").fill("SETU2025");
      await form.optional("Referral code").blur();
      await expect(form.at("referral_code")).toContainText("Applied");
    }),
    needs: "scripts",
  },
  {
    ...enrolment("payment open", async (form, { page }) => {
      await form.complete();
      await expect(page).toHaveURL(/\/checkout\//);
      await page.goBack();
      await expect(form.form).toContainText("We have not received your payment yet.");
    }),
    needs: "scripts",
  },
  enrolment("verified, coupon applied", async (form) => {
    await form.provePhone();
    await form.applyCoupon("MGROW500");
    await expect(form.price).toContainText("₹999");
  }),
  enrolment("step done", async (form) => {
    await form.giveDetails();
  }),
  enrolment("ready", async (form) => {
    await form.provePhone();
    await form.choose();
    await form.applyCoupon("MGROW500");
    await expect(form.price).toContainText("₹999");
  }),
  enrolment("coupon refused", async (form) => {
    await form.provePhone();
    await form.applyCoupon("NOSUCH");
    await form.expectError(form.field("Coupon code"), "Invalid coupon code. Please check and try again.");
  }),
  enrolment("guardian", async (form, { person }) => {
    await form.provePhone();
    await form.nameGuardian(person.guardian);
    await form.press("Send code", form.guardian);
    await expect(form.field("Guardian’s OTP")).toBeVisible();
  }),
  enrolment("guardian, agreed", async (form, { person }) => {
    await form.provePhone();
    await form.nameGuardian(person.guardian);
    await form.press("Send code", form.guardian);
    await form.giveGuardianCode(await person.code(person.guardian));
    await expect(form.guardian).toContainText("Meera Verma agreed");
  }),
  enrolment("guardian, shared phone", async (form, { person }) => {
    await form.provePhone();
    await form.nameGuardian(person.phone);
    if (!form.scripts) await form.press("Send code", form.guardian); // the server asks
    await form.field("Yes, it is our family phone").check();
    if (!form.scripts) await form.press("Send code", form.guardian);
    await expect(form.field("Your year of birth")).toBeVisible();
  }),
  enrolment("choices", async (form) => {
    await form.provePhone();
    await form.choose();
    await form.unfold("News, sharing and reminders");
    await expect(form.form.getByRole("checkbox", { name: /^News/ })).toBeVisible();
  }),
  {
    name: "pay",
    open: async ({ page, person }) => {
      await person.at("enrolled", "MGROW500");
      await page.goto("/pay");
    },
  },
  anothersNumber("pay, another typed", "enrolled"),
  anothersNumber("pay, another typed, paid", "paid"),
  aLongAddress("pay, long e-mail", "enrolled", () => "/pay"),
  aLongAddress("checkout, long e-mail", "checkout", (txn) => `/checkout/${txn}`),
  afterPayment("pay, free", "enrolled", () => "/pay", "FULLSEAT"),
  afterPayment("pay, open", "checkout", () => "/pay", "MGROW500"),
  afterPayment("pay, failed", "failed", () => "/pay"),
  afterPayment("pay, paid", "paid", () => "/pay"),
  afterRefund("pay, refunded", () => "/pay"),
  afterPayment("checkout", "checkout", (txn) => `/checkout/${txn}`, "MGROW500"),
  {
    name: "checkout, all outcomes",
    open: async ({ page, person }) => {
      await person.at("checkout");
      await page.goto(`/checkout/${person.payment}`);
      await page.getByText("More outcomes").click();
      await expect(page.getByRole("button", { name: "Charge one paisa less" })).toBeVisible();
    },
  },
  afterPayment("success, paid", "paid", result),
  {
    name: "success, not copied",
    needs: "scripts",
    open: async ({ page, person }) => {
      await person.at("paid");
      await page.goto(result(person.payment));
      await page.evaluate(() => {
        navigator.share = () => Promise.reject(new Error("there is no sheet"));
        navigator.clipboard.writeText = () => Promise.reject(new Error("no leave"));
      });
      await page.getByRole("button", { name: "Share ticket" }).click();
      await expect(page.getByRole("alert")).toContainText("The link could not be copied.");
    },
  },
  {
    name: "success, free",
    open: async ({ page, person }) => {
      await person.at("enrolled", "FULLSEAT");
      await page.goto("/pay");
      await page.getByRole("button", { name: "Complete my registration" }).click();
      await expect(page.getByText("Nothing to pay")).toBeVisible();
    },
  },
  afterPayment("landing, enrolled", "paid", () => landing),
  afterPayment("landing, unpaid", "enrolled", () => landing, "MGROW500"),
  afterPayment("course, enrolled", "paid", () => `${landing}/courses/data-analytics`),
  afterPayment("course, unpaid", "enrolled", () => `${landing}/courses/data-analytics`, "MGROW500"),
  afterPayment("courses, enrolled", "paid", () => `${landing}/courses`),
  afterPayment("landing, payment failed", "failed", () => landing, "MGROW500"),
  afterPayment("landing, payment checked", "checked", () => landing),
  ...ticketStates,
  {
    ...afterPayment("paper, being prepared", "paid", (txn) => `/checkout/${txn}/papers/ticket.pdf?wait`),
    refreshes: true,
  },
  {
    name: "paper, there is none",
    open: async ({ page, person }) => {
      await person.at("paid");
      await page.goto(`/checkout/${person.payment}/papers/KSC-26-27-000009.pdf`);
    },
  },
  { ...afterPayment("success, pending", "pending", result), refreshes: true },
  afterPayment("success, failed", "failed", result),
  afterRefund("success, refunded", result),
  paidTwice("success, paid twice", result),
  {
    name: "success, paid twice, refunded",
    open: async (visitor) => {
      await paidTwice("", result).open(visitor);
      await visitor.person.refundAtProvider();
      await visitor.page.goto(result(visitor.person.payment));
      await expect(visitor.page.locator(".money-note")).toContainText("You paid twice.");
    },
  },
  {
    name: "success, refund bounced",
    open: async ({ page, person }) => {
      await person.at("paid");
      await person.refundAtProvider();
      await person.afterPayment("bounced", "Your refund came back to us");
      await page.goto(result(person.payment));
    },
  },
  afterPayment("receipt", "paid", (txn) => `/checkout/${txn}/receipt`, "MGROW500"),
  afterPayment("invoice", "paid", (txn) => `/checkout/${txn}/invoice`, "MGROW500"),
  afterRefund("receipt, refunded", (txn) => `/checkout/${txn}/receipt`),
  paidTwice("receipt, paid twice", (txn) => `/checkout/${txn}/receipt`),
  afterRefund("invoice, refunded", (txn) => `/checkout/${txn}/invoice`),
  {
    name: "receipt by mail",
    open: async ({ page, person }) => {
      await person.at("paid");
      const { body } = await person.mail("You are enrolled: ");
      await page.goto(/http\S+\/receipt\/\S+/.exec(body)?.[0] ?? "");
    },
  },
  ...accountStates,
  ...myDataStates,
  ...registrationStates,
  ...applicationStates,
  ...feeStates,
  ...documentStates,
  ...staffStates,
  address("unknown payment", "/success?kspay_id=nobody"),
  address("dead link", "/receipt/forged"),
  address("nothing here", "/nothing.png"),
  { ...address("components", "/dev/components"), titles: 2, dev: true },
  { ...afterRefund("payments", () => "/dev/payments"), dev: true },
  { ...afterRefund("what happens to a payment", (txn) => `/dev/payments/${txn}`), dev: true },
  {
    name: "outbox",
    dev: true,
    open: async ({ page, person }) => {
      await person.at("paid");
      await person.mail("You are enrolled: ");
      await page.goto(`/dev/outbox?to=${encodeURIComponent(person.email)}`);
    },
  },
];

/** Those that a browser with or without scripts can reach. */
export function reachable(states: readonly State[], scripts: boolean): State[] {
  return states.filter(({ needs }) => needs !== (scripts ? "no scripts" : "scripts"));
}
