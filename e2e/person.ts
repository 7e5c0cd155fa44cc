// A visitor, and the product's own calls that bring the visitor to the step at which a journey starts.
import { randomInt } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import table from "../forms/cases.json" with { type: "json" };
import { type Challenge, solve } from "../islands/runtime/human.ts";

/** Steps at which journeys start. */
export type Step =
  | "human"
  | "signed up"
  | "code sent"
  | "verified"
  | "enrolled"
  | "checkout"
  | "paid"
  | "failed"
  | "pending"
  | "checked";

/** The outcomes of the sandbox gateway that journeys press. */
export type Outcome = "paid" | "failed" | "pending" | "wrong_amount" | "late";

export interface Mail {
  channel: "sms" | "email";
  to: string;
  subject: string;
  body: string;
}

/** Identifies the event in calls. */
export const mgrow = { scholarship_code: "KS_Mgrow", scholarship_subevent_code: "KS_Mgrow_2025" };
export const campus = { scholarship_code: "KS_Campus", scholarship_subevent_code: "KS_Campus_2026" };

export class Person {
  name = "Asha Verma";
  readonly phone: string;
  readonly guardian: string;
  email: string;
  request = ""; // id of the last code's request
  registration = "";
  event = mgrow;
  private proven = false; // whether signing up has verified the phone
  payment = "";

  /**
   * @param call talks to the site with the cookies of this visitor's browser
   * @param number makes the telephone numbers, of ten digits; without it they are drawn
   */
  constructor(
    readonly call: APIRequestContext,
    number = (_whose: string) => `9${randomInt(1e8, 1e9)}`,
  ) {
    this.phone = number("phone");
    this.guardian = number("guardian");
    this.email = `asha.${this.phone}@example.com`;
  }

  /** Posts a JSON body, which must be accepted. */
  async post(path: string, data: Record<string, unknown>) {
    const answer = await this.call.post(path, { data });
    const body = await answer.json();
    expect(answer.status(), `${path}: ${JSON.stringify(body)}`).toBe(200);
    return body;
  }

  /** Solves the human check as a browser does and returns its token; "" if the site has none. */
  async token(): Promise<string> {
    const challenge = await (await this.call.get("/human/challenge")).json();
    return challenge.provider === "none" ? "" : solve(challenge as Challenge);
  }

  private readonly steps: Record<Step, (coupon?: string) => Promise<unknown>> = {
    human: async () => {
      const headers = { "X-Captcha-Token": await this.token() };
      expect((await this.call.get("/v1/users/referralCode/SETU2025", { headers })).ok()).toBe(true);
    },
    "signed up": async () => {
      await this.at("human");
      const who = { fullname: this.name, email: this.email, phone_number: this.phone };
      const asked = await (await this.call.post("/account/sign-up", { form: who })).text();
      const request_id = /name="request_id" value="([^"]+)"/.exec(asked)?.[1] ?? "";
      const form = { ...who, request_id, do: "verify", otp: await this.code() };
      const answer = await this.call.post("/account/sign-in/code", { form, maxRedirects: 0 });
      expect(answer.status()).toBe(303);
      this.proven = true;
    },
    "code sent": async () => {
      const sent = await this.post("/scholarship/v1/user-verification-request", {
        ...this.event,
        email: this.email,
        phone_number: this.phone,
        country_code: "+91",
        captcha_token: await this.token(),
      });
      this.request = sent.request_id;
    },
    verified: async () => {
      if (this.proven) return;
      await this.at("code sent");
      await this.post("/scholarship/v1/user-request-verify", {
        ...this.event,
        email: this.email,
        phone_number: this.phone,
        phone_otp: await this.code(),
        request_id: this.request,
      });
    },
    enrolled: async (coupon) => {
      await this.at("verified");
      const made = await this.post("/scholarship/v1/create-scholarship-request", {
        ...this.event,
        ...table.good.enrolment,
        fullname: this.name,
        email: this.email,
        phone_number: this.phone,
        country_code: "+91",
        selected_course: "Data_Analytics",
        state: "Maharashtra",
        adult: true,
        agreed_terms_conditions: true,
        ...(coupon && { coupon_code: coupon }),
      });
      this.registration = made.scholarship_requested_id;
    },
    checkout: async (coupon) => {
      await this.at("enrolled", coupon);
      await this.startPayment();
    },
    paid: async (coupon) => {
      await this.at("checkout", coupon);
      await this.press("paid");
    },
    failed: async (coupon) => {
      await this.at("checkout", coupon);
      await this.press("failed");
    },
    pending: async (coupon) => {
      await this.at("checkout", coupon);
      await this.press("pending");
    },
    checked: async (coupon) => {
      await this.at("checkout", coupon);
      await this.press("wrong_amount");
    },
  };

  /** Brings a new visitor to a step. */
  async at(step: Step, coupon?: string): Promise<this> {
    await this.steps[step](coupon);
    return this;
  }

  async startPayment() {
    const started = await this.post("/payments/v1/initiate-payment", {
      scholarship_requested_id: this.registration,
      redirection_url: "/success",
    });
    this.payment = started.transactionResponse.payment_transaction_id;
  }

  /** Presses a button of the sandbox's checkout. */
  async press(outcome: Outcome) {
    const page = await (await this.call.get(`/checkout/${this.payment}`)).text();
    const signature = new RegExp(`"outcome":"${outcome}"[^}]*"signature":"([0-9a-f]+)"`).exec(page)?.[1];
    expect(signature, `the checkout's button for ${outcome}`).toBeDefined();
    const form = { outcome, signature: signature ?? "" };
    const answer = await this.call.post(`/checkout/${this.payment}/return`, { form, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  }

  /** Returns the address in the ticket's QR code. */
  async ticket(): Promise<string> {
    const page = await (await this.call.get(`/success?kspay_id=${this.payment}`)).text();
    const path = /href="(\/ticket\/[^"/]+)\/exam\.ics"/.exec(page)?.[1];
    expect(path, "the address of the ticket").toBeDefined();
    return path ?? "";
  }

  /** Refunds the payment as the sandbox's staff and waits until the receipt shows it. */
  refundAtProvider() {
    return this.afterPayment("refunded", "Credit note");
  }

  /** Lets something happen to the payment at the sandbox and waits until the receipt has a text. */
  async afterPayment(what: string, text: string) {
    const answer = await this.call.post(`/dev/payments/${this.payment}`, { form: { what }, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
    const receipt = async () => (await this.call.get(`/checkout/${this.payment}/receipt`)).text();
    await expect.poll(receipt).toContain(text);
  }

  /** Returns this visitor's SMS and mails, newest first. */
  async mails(): Promise<Mail[]> {
    const all: Mail[] = await (await this.call.get("/dev/outbox.json")).json();
    return all.filter(({ to }) => [this.email, `+91${this.phone}`, `+91${this.guardian}`].includes(to));
  }

  /** Waits for a mail whose subject has this prefix. */
  async mail(subject: string): Promise<Mail> {
    const find = async () =>
      (await this.mails()).find((mail) => mail.channel === "email" && mail.subject.startsWith(subject));
    await expect.poll(find, `a mail "${subject}…"`).toBeDefined();
    return (await find()) as Mail;
  }

  /** Waits for the code sent to one of this visitor's numbers. */
  async code(number = this.phone): Promise<string> {
    const find = async () => {
      const sms = (await this.mails()).find(({ to }) => to === `+91${number}`);
      return /\b([0-9]{6})\b/.exec(sms?.body ?? "")?.[1] ?? "";
    };
    await expect.poll(find, `a code for ${number}`).toMatch(/^[0-9]{6}$/);
    return find();
  }

  /** Waits for the code sent to one of this visitor's e-mail addresses. */
  async mailedCode(): Promise<string> {
    const { subject } = await this.mail("");
    return /^[0-9]{6}/.exec(subject)?.[0] ?? "";
  }

  /** Waits for a code that differs from the first one sent to this visitor's phone. */
  async newCode(): Promise<string> {
    const codes = async () => {
      const sms = (await this.mails()).filter(({ to }) => to === `+91${this.phone}`);
      return sms.flatMap(({ body }) => /\b([0-9]{6})\b/.exec(body)?.[1] ?? []);
    };
    await expect.poll(async () => (await codes()).length, "a second code").toBeGreaterThan(1);
    return (await codes())[0] ?? "";
  }

  /** Deletes the browser's session. */
  async forget() {
    await this.call.post("/account/log-out", { maxRedirects: 0 });
  }

  /** Returns a six-digit code other than the one sent. */
  async wrongCode(): Promise<string> {
    return String((Number(await this.code()) + 1) % 1_000_000).padStart(6, "0");
  }
}
