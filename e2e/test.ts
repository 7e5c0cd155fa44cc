// Fixtures of every browser test: a site per worker, a visitor, and a watch for silent errors.
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type WebError,
} from "@playwright/test";
import { Enrolment } from "./enrolment.ts";
import { Person } from "./person.ts";
import { type Database, type Site, startSite } from "./site.ts";

export { expect };

export interface Options {
  database: Database;
  gateways: string; // providers to simulate, in the order offered; "" for the sandbox only
}

/** A visitor with a browser. */
export interface Visitor {
  person: Person;
  page: Page;
  enrolment: Enrolment;
}

interface Fixtures extends Visitor {
  faults: Faults;
  scripts: boolean; // whether the browser runs them
  another: () => Promise<Visitor>; // in another browser
}

export const test = base.extend<Fixtures, Options & { site: Site }>({
  database: ["sqlite", { option: true, scope: "worker" }],
  gateways: ["", { option: true, scope: "worker" }],
  site: [
    async ({ database, gateways }, use) => {
      const site = await (gateways
        ? startSite(database, { GATEWAYS: gateways }, ["bin/simulators", "bin/site"])
        : startSite(database));
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ site }, use) => use(site.url),
  scripts: ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  faults: async ({ site, gateways }, use, info) => {
    const faults = new Faults(site.url);
    if (gateways) faults.allow(/^request to http:\/\/127\.0\.0\.1:/); // the simulators' addresses
    await use(faults);
    // All of it, because from a remote run only the output is available.
    if (info.status !== info.expectedStatus) console.log(`${info.title}: the site wrote\n${site.logs()}`);
    expect(faults.found, "console errors, page errors and requests to others").toEqual([]);
  },
  context: async ({ context, faults }, use, info) => {
    faults.watch(context);
    await use(context);
    if (info.status !== info.expectedStatus) for (const page of context.pages()) await tell(info.title, page);
  },
  // A worker's visitors share the first page that is left. Playwright empties it between them, but for what a tab keeps until
  // it is closed.
  page: async ({ page, context }, use, info) => {
    await use(page);
    const [left] = context.pages();
    if (!left || info.status !== info.expectedStatus) return; // a failed worker ends, and its page with it
    await left.unrouteAll();
    await left.goto("/robots.txt").catch(() => left.goto("/robots.txt")); // a page that counts down may leave at this moment
    await left.evaluate(() => sessionStorage.clear());
  },
  person: ({ context }, use) => use(new Person(context.request)),
  enrolment: ({ page, person, scripts }, use) => use(new Enrolment(page, person, scripts)),
  another: async ({ browser, faults, scripts }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      faults.watch(context);
      const page = await context.newPage();
      const person = new Person(context.request);
      return { page, person, enrolment: new Enrolment(page, person, scripts) };
    });
    for (const context of contexts) await context.close();
  },
});

/** Prints a page's content. */
async function tell(title: string, page: Page) {
  const shown = page.locator("body").ariaSnapshot({ timeout: 5_000 });
  console.log(`${title}: ${page.url()} shows\n${await shown.catch(String)}`);
}

/** Collects invisible faults: console errors (including policy violations), page errors, and requests to third parties. */
export class Faults {
  readonly found: string[] = [];
  private readonly allowed: RegExp[] = [];

  constructor(private readonly origin: string) {}

  /** Allows faults that a test causes on purpose. */
  allow(fault: RegExp) {
    this.allowed.push(fault);
  }

  /** Watches a browser; the returned function stops it. */
  watch(context: BrowserContext): () => void {
    const written = (message: ConsoleMessage) => {
      const { url } = message.location();
      // Browsers log an error for each response of status 400 or above; a rejected form or a missing page is no fault.
      const refused =
        /^Failed to load resource: .* status of 4[0-9]{2}/.test(message.text()) && !url.includes("/static/");
      if (["error", "warning"].includes(message.type()) && !refused)
        this.add(`${message.type()}: ${message.text()} (${url})`);
    };
    const thrown = (error: WebError) => this.add(`uncaught: ${error.error()}`);
    const asked = (request: Request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== this.origin) this.add(`request to ${request.url()}`);
    };
    context.on("console", written).on("weberror", thrown).on("request", asked);
    return () => context.off("console", written).off("weberror", thrown).off("request", asked);
  }

  private add(fault: string) {
    if (!this.allowed.some((allowed) => allowed.test(fault))) this.found.push(fault);
  }
}
