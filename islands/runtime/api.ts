// The JSON API as the islands call it. A call never throws: whatever happens is an Answer.
import { humanToken } from "./human.ts";

/** How a call ended. */
export interface Answer<T = unknown> {
  ok: boolean;
  /** The HTTP status; 0 if the server was not reached. */
  status: number;
  /** A sentence for the visitor. */
  message: string;
  /** By wire name of the field at fault. */
  errors: Record<string, string>;
  /** Seconds; 0 if the answer names none. */
  retryAfter: number;
  /** What the call's own answer holds, as it came over the wire. */
  body: Partial<T>;
}

const patience = 20_000; // ms

/** Sends JSON to a path of our own origin. */
export const post = <T>(path: string, body: object): Promise<Answer<T>> =>
  call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function call<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: { ...init.headers, Accept: "application/json" },
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    return unreached();
  }
  const wire: Wire & Partial<T> = await response.json().catch(() => ({}));
  return {
    ok: response.ok,
    status: response.status,
    message: wire.message || "Something went wrong.",
    errors: wire.errors ?? {},
    retryAfter: Number(response.headers.get("Retry-After") ?? 0),
    body: wire,
  };
}

let passed = false; // the human check, in this page; the server remembers it for two hours

/** As post, for a call that the human check guards. */
export const postGuarded = <T>(path: string, body: object): Promise<Answer<T>> =>
  guarded((token) => post(path, token ? { ...body, captcha_token: token } : body));

/** Asks a path that the human check guards. */
export const getGuarded = <T>(path: string): Promise<Answer<T>> =>
  guarded((token) => call(path, token ? { headers: { "X-Captcha-Token": token } } : {}));

/** The check is passed with the first guarded call, and again when the server asks. */
async function guarded<T>(ask: (token: string) => Promise<Answer<T>>): Promise<Answer<T>> {
  if (passed) {
    const answer = await ask("");
    if (!answer.errors.captcha_token) return answer;
  }
  let token = "";
  try {
    token = await humanToken();
  } catch (error) {
    if (error instanceof TypeError) return unreached();
    // The check is off, or not ready: the server says which.
  }
  const answer = await ask(token);
  passed = answer.status > 0 && token !== "" && !answer.errors.captcha_token;
  return answer;
}

interface Wire {
  message?: string;
  errors?: Record<string, string>;
}

function unreached<T>(): Answer<T> {
  const message = navigator.onLine
    ? "We cannot be reached at the moment. What you typed is kept. Please try again."
    : "You are offline. What you typed is kept.";
  return { ok: false, status: 0, message, errors: {}, retryAfter: 0, body: {} };
}
