// The human check of a third-party service. Loads its script when a token is first needed; integrations/captcha verifies the token.
// Sources: developers.google.com/recaptcha/docs/v3, developers.cloudflare.com/turnstile.

export interface Service {
  provider: "recaptcha" | "turnstile";
  siteKey: string;
}

declare global {
  interface Window {
    grecaptcha?: {
      ready(then: () => void): void;
      execute(siteKey: string, ask: { action: string }): PromiseLike<string>;
    };
    turnstile?: {
      render(place: HTMLElement, ask: Record<string, unknown>): string;
      remove(widget: string): void;
    };
  }
}

const action = "signup";
const timeout = 10_000; // ms
const pressTimeout = 60_000; // ms: Turnstile may ask for a press

/** Sent in place of a missing token. The server rejects it with `Something went wrong.` */
const refused = "refused";

/** Returns a token for one call. Rejects if the script does not load; the next call tries again. */
export async function serviceToken({ provider, siteKey }: Service): Promise<string> {
  const { source, ready, execute } = services[provider];
  await load(source(siteKey), ready);
  const token: unknown = await execute(siteKey).catch(() => refused);
  return typeof token === "string" && token !== "" ? token : refused;
}

const services = {
  recaptcha: {
    source: (siteKey: string) => `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`,
    ready: (then: () => void) => window.grecaptcha?.ready(then), // the loaded script loads another
    execute: (siteKey: string) => within(timeout, Promise.resolve(window.grecaptcha?.execute(siteKey, { action }))),
  },
  turnstile: {
    source: () => "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit",
    ready: (then: () => void) => window.turnstile && then(),
    execute: async (siteKey: string) => {
      const place = document.createElement("div");
      (document.getElementById("toasts") ?? document.body).append(place); // visible, because it may need a press
      let widget: string | undefined;
      const token = new Promise<string>((callback, fail) => {
        const ask = {
          sitekey: siteKey,
          action,
          appearance: "interaction-only",
          "response-field": false,
          retry: "never",
        };
        widget = window.turnstile?.render(place, {
          ...ask,
          callback,
          "error-callback": fail,
          "timeout-callback": fail,
          "unsupported-callback": fail,
        });
      });
      try {
        return await within(pressTimeout, token);
      } finally {
        if (widget) window.turnstile?.remove(widget);
        place.remove();
      }
    },
  },
};

let loading: Promise<void> | undefined; // one script for all callers

function load(source: string, ready: (then: () => void) => void): Promise<void> {
  loading ??= insert(source, ready).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function insert(source: string, ready: (then: () => void) => void): Promise<void> {
  const script = document.createElement("script");
  const loaded = new Promise<void>((done, fail) => {
    script.onload = () => ready(done);
    script.onerror = () => fail(new Error("human check: its script does not load"));
  });
  script.src = source;
  document.head.append(script);
  try {
    await within(timeout, loaded);
  } catch (error) {
    script.remove();
    throw error;
  }
}

/** Waits for work, at most so many ms. */
async function within<T>(most: number, work: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`human check: no answer in ${most} ms`)), most);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
