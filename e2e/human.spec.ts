// The human check of a third-party service. The service is faked; our content security policy is real.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrowserContext, test as base, expect } from "@playwright/test";
import { Enrolment, landing } from "./enrolment.ts";
import { Person } from "./person.ts";
import { startSite } from "./site.ts";

const notReady = {
  recaptcha: "Execute reCAPTCHA is not ready yet.",
  turnstile: "The human check is not ready yet. Please try again.",
};

/** Fake responses of each company's addresses. As in reality, a script loads another script or a frame. */
const companies = {
  recaptcha: {
    "https://www.google.com/recaptcha/api.js?render=6Lsite": `
      const ready = [];
      window.grecaptcha = { ready: (then) => ready.push(then) };
      window.arrive = () => ready.forEach((then) => then());
      const script = document.createElement("script");
      script.src = "https://www.gstatic.com/recaptcha/releases/1/recaptcha__en.js";
      document.head.append(script);`,
    "https://www.gstatic.com/recaptcha/releases/1/recaptcha__en.js": `
      window.grecaptcha.execute = async (key, { action }) => {
        await fetch("https://www.google.com/recaptcha/api2/reload", { method: "POST", mode: "no-cors" });
        return [key, action].join();
      };
      const frame = document.createElement("iframe");
      frame.src = "https://www.google.com/recaptcha/api2/anchor";
      frame.onload = window.arrive;
      document.body.append(frame);`,
    "https://www.google.com/recaptcha/api2/anchor": "<p>badge",
    "https://www.google.com/recaptcha/api2/reload": "",
  },
  turnstile: {
    "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit": `
      window.turnstile = {
        render: (place, { sitekey, action, callback }) => {
          const frame = document.createElement("iframe");
          frame.src = "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/x";
          frame.onload = () => callback([sitekey, action].join());
          place.append(frame);
          return "1";
        },
        remove: () => {},
      };`,
    "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/x": "<p>check",
  },
};

interface Visitor {
  context: BrowserContext;
  reached: Set<string>; // requested addresses of third parties
  blocked: boolean; // whether those are blocked
  errors: string[]; // console errors
}

for (const provider of ["recaptcha", "turnstile"] as const) {
  const answers: Record<string, string> = companies[provider];

  const test = base.extend<{ visitor: Visitor }>({
    visitor: async ({ browser }, use) => {
      const judge = createServer(async (request, response) => {
        let body = "";
        for await (const part of request) body += part;
        const success = new URLSearchParams(body).get("response") === "6Lsite,signup";
        response.end(JSON.stringify({ success, score: 0.9, action: "signup", hostname: "127.0.0.1" }));
      }).listen(0, "127.0.0.1");
      const { port } = await new Promise<AddressInfo>((known) =>
        judge.on("listening", () => known(judge.address() as AddressInfo)),
      );
      const site = await startSite("sqlite", {
        CAPTCHA: provider,
        CAPTCHA_SITE_KEY: "6Lsite",
        CAPTCHA_SECRET: "secret",
        CAPTCHA_URL: `http://127.0.0.1:${port}`,
      });
      const context = await browser.newContext({ baseURL: site.url });
      const visitor: Visitor = { context, reached: new Set(), blocked: false, errors: [] };
      await context.route(/^https:/, (route) => {
        const url = route.request().url();
        visitor.reached.add(url);
        const body = answers[url];
        if (body === undefined || visitor.blocked) return route.abort();
        const contentType = body.startsWith("<") ? "text/html" : "text/javascript";
        return route.fulfill({ body, contentType });
      });
      context.on("console", (message) => message.type() === "error" && visitor.errors.push(message.text()));
      await use(visitor);
      await context.close();
      await site.stop();
      judge.close();
    },
  });

  test(`${provider} loads at the first press, and the visitor passes`, async ({
    visitor: { context, reached, errors },
  }) => {
    const page = await context.newPage();
    const person = new Person(context.request);
    const enrolment = new Enrolment(page, person, true);
    await enrolment.open();
    await enrolment.giveDetails();
    expect([...reached]).toEqual([]);
    await enrolment.press("Send code", enrolment.at("phone_number"));
    await expect(enrolment.field("OTP")).toBeVisible();
    expect([...reached].sort()).toEqual(Object.keys(answers).sort());
    await enrolment.giveCode(await person.code());
    await enrolment.expectVerified();
    expect(errors).toEqual([]);
  });

  test(`if ${provider} is unreachable the visitor reads so and can try again`, async ({ visitor }) => {
    visitor.blocked = true;
    const page = await visitor.context.newPage();
    await page.goto(landing);
    const person = new Person(visitor.context.request);
    const contact = page.locator("#contact");
    await contact.getByLabel("Your full name").fill(person.name);
    await contact.getByLabel("Your e-mail").fill(person.email);
    await contact.getByLabel("Mobile number").fill(person.phone);
    await contact.getByLabel("Message").fill("Is it online?");
    const send = contact.getByRole("button", { name: "Send", exact: true });
    await send.click();
    await expect(contact).toContainText(notReady[provider]);
    visitor.blocked = false;
    await send.click();
    await expect(contact).toContainText("Request successfully submitted.");
  });
}
