import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const sources = {
  recaptcha: "https://www.google.com/recaptcha/api.js?render=a%26b",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit",
};
const call = "/scholarship/v1/apply-coupon";
const notReady = "Execute reCAPTCHA is not ready yet.";
const wrong = "Something went wrong.";
const refusal = (text: string) => Response.json({ message: text, errors: { captcha_token: text } }, { status: 422 });

type Ask = Record<string, unknown> & { callback(token: string): void };
const execute = vi.fn<(siteKey: string, ask: object) => Promise<string>>();
const render = vi.fn<(place: HTMLElement, ask: Ask) => string>();
const remove = vi.fn<(widget: string) => void>();

/** Fakes what the services' scripts define. */
const arrive = {
  recaptcha: () => {
    window.grecaptcha = { ready: (then) => setTimeout(then, 5), execute };
  },
  turnstile: () => {
    window.turnstile = { render: render as never, remove };
  },
};
const providers = ["recaptcha", "turnstile"] as const;
type Provider = (typeof providers)[number];

let inserted: HTMLScriptElement[];
let network: (script: HTMLScriptElement) => void; // handles each inserted script
let humanToken: () => Promise<string>;
let postGuarded: (path: string, body: object) => Promise<{ ok: boolean; message: string }>;
let sent: unknown[]; // tokens received by the server

/** Opens a page of a site with a service; the fake server verifies tokens like the real one. */
async function page(provider: Provider): Promise<void> {
  network = (script) => {
    arrive[provider]();
    script.dispatchEvent(new Event("load"));
  };
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "/human/challenge") return Response.json({ success: true, provider, siteKey: "a&b" });
    const token: unknown = JSON.parse(String(init?.body)).captcha_token;
    sent.push(token);
    if (!token) return refusal(notReady);
    return String(token).startsWith("good") ? Response.json({ message: "Fine." }) : refusal(wrong);
  });
  await import("./service.ts"); // reading the file takes real time
  ({ humanToken } = await import("./human.ts"));
  const api = await import("./api.ts");
  postGuarded = (path, body) => api.postGuarded(path, body, api.accepted);
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="toasts"></div>';
  inserted = [];
  sent = [];
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    for (const node of nodes) {
      inserted.push(node as HTMLScriptElement);
      queueMicrotask(() => network(node as HTMLScriptElement));
    }
  });
  let n = 0;
  execute.mockReset().mockImplementation(async () => `good ${++n}`);
  remove.mockReset();
  render.mockReset().mockImplementation((_, { callback }) => {
    setTimeout(() => callback(`good ${++n}`), 5);
    return `widget ${n}`;
  });
});
afterEach(() => {
  delete window.grecaptcha;
  delete window.turnstile;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Advances the clock until the work is done, at most two minutes. */
async function over<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(120_000);
  return work;
}

describe.each(providers)("%s", (provider) => {
  test("loads its script once and creates a token for each call", async () => {
    await page(provider);
    expect(inserted).toEqual([]);
    expect(await over(Promise.all([humanToken(), humanToken()]))).toEqual(["good 1", "good 2"]);
    expect(await over(humanToken())).toBe("good 3");
    expect(inserted.map(({ src }) => src)).toEqual([sources[provider]]);
  });

  test("sends the token with the guarded call", async () => {
    await page(provider);
    expect(await over(postGuarded(call, {}))).toMatchObject({ ok: true, message: "Fine." });
    expect(sent).toEqual(["good 1"]);
  });

  test.each([
    ["is blocked", (script: HTMLScriptElement) => script.dispatchEvent(new Event("error"))],
    ["does not come within ten seconds", () => undefined],
    ["comes empty", (script: HTMLScriptElement) => script.dispatchEvent(new Event("load"))],
  ])("is not ready where its script %s, and is tried again with the next call", async (_, happens) => {
    await page(provider);
    const good = network;
    network = happens;
    expect(await over(postGuarded(call, {}))).toMatchObject({ ok: false, message: notReady });
    network = good;
    expect(await over(postGuarded(call, {}))).toMatchObject({ ok: true });
    expect(inserted).toHaveLength(2);
    expect(sent).toEqual([undefined, "good 1"]);
  });

  test("waits ten seconds for its script, not longer", async () => {
    await page(provider);
    network = () => undefined;
    const failed = vi.fn();
    humanToken().catch(failed);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(failed).toHaveBeenCalledOnce();
  });
});

describe("reCAPTCHA", () => {
  test("is executed for the action signup", async () => {
    await page("recaptcha");
    await over(humanToken());
    expect(execute).toHaveBeenCalledWith("a&b", { action: "signup" });
  });

  test.each([
    ["refuses", () => Promise.reject(null)],
    ["answers nothing", async () => ""],
    ["answers no text", async () => ({}) as string],
    ["does not answer", () => new Promise<string>(() => undefined)],
  ])("that %s is something that went wrong", async (_, answers) => {
    await page("recaptcha");
    execute.mockImplementationOnce(answers);
    expect(await over(postGuarded(call, {}))).toMatchObject({ ok: false, message: wrong });
    expect(await over(postGuarded(call, {}))).toMatchObject({ ok: true });
    expect(inserted).toHaveLength(1);
  });
});

describe("Turnstile", () => {
  test("is visible, uses the action signup, and removes itself", async () => {
    await page("turnstile");
    const token = humanToken();
    await vi.advanceTimersByTimeAsync(1);
    const [place, ask] = render.mock.calls[0] ?? [];
    expect(place?.parentElement?.id).toBe("toasts");
    expect(ask).toMatchObject({ sitekey: "a&b", action: "signup", appearance: "interaction-only" });
    expect(await over(token)).toBe("good 1");
    expect(remove).toHaveBeenCalledWith("widget 0");
    expect(document.getElementById("toasts")?.childElementCount).toBe(0);
  });

  test.each(["error-callback", "timeout-callback", "unsupported-callback", "nothing"])(
    "that ends in %s is something that went wrong",
    async (end) => {
      await page("turnstile");
      render.mockImplementationOnce((_, ask) => {
        const ended = ask[end];
        if (typeof ended === "function") setTimeout(() => ended("300010"), 5);
        return "widget";
      });
      expect(await over(postGuarded(call, {}))).toMatchObject({ ok: false, message: wrong });
      expect(remove).toHaveBeenCalledWith("widget");
      expect(await over(postGuarded(call, {}))).toMatchObject({ ok: true });
    },
  );
});
