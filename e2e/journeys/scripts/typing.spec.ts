// Keys, presses and the caret's position survive hydration on a slow phone with a slow connection.
import type { Page } from "@playwright/test";
import { Application, answers } from "../../application.ts";
import { landing } from "../../enrolment.ts";
import type { Person } from "../../person.ts";
import { expect, test, type Visitor } from "../../test.ts";

/** Input into fields of one kind while their island loads, and the expected values. */
interface Attempt {
  open: (page: Page, person: Person) => Promise<void>;
  act: (page: Page) => Promise<Record<string, string>>;
}

const live = (page: Page) => page.locator(".island-root[data-live]");
const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type=hidden])`).first();

/** Types letter by letter, from before hydration until after. */
async function types(page: Page, name: string, at: "End" | "Home" = "End") {
  const input = field(page, name);
  const before = await input.inputValue();
  await input.focus();
  await page.keyboard.press(at);
  let typed = "";
  for (let after = 0; after < 4 && typed.length < 60; ) {
    const letter = "abcdefghijklmnopqrstuvwxyz".charAt(typed.length % 26);
    await page.keyboard.type(letter);
    typed += letter;
    if (await live(page).count()) after++;
  }
  return { [name]: at === "Home" ? typed + before : before + typed };
}

const selectOption = async (page: Page, name: string, value: string) => {
  await field(page, name).focus();
  await field(page, name).selectOption(value);
  return { [name]: value };
};

const presses = async (page: Page, name: string, value: string) => {
  await page.locator(`[name="${name}"][value="${value}"]`).click({ noWaitAfter: true });
  return { [name]: value };
};

const form = (path: string) => async (page: Page) => {
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("form.enrol .input").first().waitFor({ state: "attached" });
};

/** Opens a step, empty or with saved answers. */
const step = (name: keyof typeof answers, isFilled: boolean) => async (page: Page, person: Person) => {
  await person.at("signed up");
  await new Application(page, person).saved(Object.keys(answers).indexOf(name) + Number(isFilled));
  await page.goto(`/hiresure/form/${name}`, { waitUntil: "commit" });
  await page.locator("form.application-form .input").first().waitFor({ state: "attached" });
};

const attempts: Record<string, Attempt> = {
  "a text": { open: form(landing), act: (page) => types(page, "fullname") },
  "an e-mail": { open: form(landing), act: (page) => types(page, "email") },
  "two texts": {
    open: form(landing),
    act: async (page) => {
      await field(page, "fullname").pressSequentially("Asha");
      return { fullname: "Asha", ...(await types(page, "email")) };
    },
  },
  "a text of a step": { open: step("personal", false), act: (page) => types(page, "fatherName") },
  "a text that is filled in": { open: step("personal", true), act: (page) => types(page, "fatherName", "Home") },
  "a longer text": { open: step("scholarship", false), act: (page) => types(page, "reason") },
  "a longer text that is filled in": { open: step("scholarship", true), act: (page) => types(page, "reason", "Home") },
  "one of a list": { open: step("personal", false), act: (page) => selectOption(page, "state", "Karnataka") },
  "another of a list": { open: step("personal", true), act: (page) => selectOption(page, "gender", "M") },
  "yes or no": {
    open: step("scholarship", false),
    act: (page) => presses(page, "received_other_scholarship", "false"),
  },
  "no instead of yes": {
    open: step("scholarship", true),
    act: (page) => presses(page, "received_other_scholarship", "false"),
  },
};

/** One run on a slow phone with a slow connection. */
async function attempt({ page, person }: Visitor, { open, act }: Attempt, pause: number) {
  const devtools = await page.context().newCDPSession(page);
  const bytes = 400_000 / 8;
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await open(page, person);
  await page.waitForTimeout(pause);
  const wanted = await act(page);
  await live(page).waitFor({ timeout: 60_000 });
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done))); // lets late effects run
  for (const [name, value] of Object.entries(wanted)) {
    const shown = await page
      .locator(".island-root[data-live] form")
      .evaluate((element, name) => new FormData(element as HTMLFormElement).getAll(name).join(","), name);
    expect(shown, name).toBe(value);
  }
  await page.context().close();
}

test("no key or press is lost from the first touch, one run per kind of field @long @alone", async ({ another }) => {
  test.setTimeout(300_000);
  for (const [kind, one] of Object.entries(attempts))
    await test.step(kind, async () => attempt(await another(), one, 0));
});

test("no key or press is lost from the first touch, 100 runs @long @alone", async ({ another }) => {
  test.setTimeout(3_600_000);
  const tries = Number(process.env.TRIES ?? 100);
  const kinds = Object.entries(attempts);
  for (let i = 0; i < tries; i++) {
    const [kind, one] = kinds[i % kinds.length] ?? [];
    const pause = 100 * (Math.floor(i / kinds.length) % 20); // a different moment in each round
    if (one) await test.step(`${i}: ${kind}, after ${pause} ms`, async () => attempt(await another(), one, pause));
  }
});
