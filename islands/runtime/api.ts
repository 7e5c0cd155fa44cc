// The islands' client of the JSON API. Calls never throw; every outcome is an Answer.
import * as z from "zod/mini";
import { unreached, unreadable } from "./failure.ts";
import { type Challenge, humanToken, proofOfWork, solve } from "./human.ts";
import { parse, parseJSON, type Schema } from "./schema.ts";

/** How a call ended. */
export type Answer<T = Accepted> = Refusal | (Outcome & { ok: true; body: T });
export type Refusal = Outcome & {
  ok: false;
  /** Work after which the call is accepted at once. */
  challenge?: Challenge | undefined;
};

interface Outcome {
  /** HTTP status; 0 if the server was unreachable or its response unreadable. */
  status: number;
  /** A sentence for the visitor. */
  message: string;
  /** Errors by wire name of the field. */
  errors: Record<string, string>;
  /** Seconds; 0 if the response has none. */
  retryAfter: number;
}

/** Fields of every successful response; calls add their own. */
export const accepted = z.object({ message: z.string() });
export type Accepted = z.infer<typeof accepted>;

const refusal = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.string())),
  challenge: z.optional(z.unknown()),
});

const timeout = 20_000; // ms

/** Sends JSON to a path of our origin. keepalive: completes even if the page closes before the response. */
export const post = <T extends Accepted>(
  path: string,
  body: object,
  schema: Schema<T>,
  keepalive = false,
): Promise<Answer<T>> =>
  call(path, schema, {
    method: "POST",
    keepalive,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

export const get = <T extends Accepted>(path: string, schema: Schema<T>): Promise<Answer<T>> => call(path, schema, {});

async function call<T extends Accepted>(path: string, schema: Schema<T>, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      ...init,
      headers: { ...init.headers, Accept: "application/json" },
      signal: AbortSignal.timeout(timeout),
    });
    text = await response.text();
  } catch {
    return noAnswer(unreached());
  }
  const { status } = response;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0) || 0; // the server sends seconds; a proxy may send a date
  if (!response.ok) {
    const { message = "", errors = {}, challenge } = parseJSON(refusal, text) ?? {};
    const work = parse(proofOfWork, challenge);
    return { ok: false, status, message: message || "Something went wrong.", errors, retryAfter, challenge: work };
  }
  const body = parseJSON(schema, text);
  if (!body) return noAnswer(unreadable);
  return { ok: true, status, message: body.message, errors: {}, retryAfter, body };
}

let passed = false; // the human check, in this page; the server remembers it for two hours

/**
 * Like post, for a call that needs the human check.
 * @param work what the last answer asked for, null if it asked for none: the caller decides when to do more. Without it
 * postGuarded does what the server asks for
 */
export const postGuarded = <T extends Accepted>(
  path: string,
  body: object,
  schema: Schema<T>,
  work?: Challenge | null,
): Promise<Answer<T>> => guarded((token) => post(path, token ? { ...body, captcha_token: token } : body, schema), work);

/** Sends a GET request that needs the human check. */
export const getGuarded = <T extends Accepted>(path: string, schema: Schema<T>): Promise<Answer<T>> =>
  guarded((token) => call(path, schema, token ? { headers: { "X-Captcha-Token": token } } : {}));

const mostWork = 3; // times: others may raise the work while we do it

/** Passes the human check at the first guarded call, and again when the server requires it. Does the work that it asks for. */
async function guarded<T>(ask: (token: string) => Promise<Answer<T>>, work?: Challenge | null): Promise<Answer<T>> {
  let answer = work ? await ask(await solve(work)) : await checked(ask);
  for (let times = work === undefined ? 0 : mostWork; times < mostWork && !answer.ok && answer.challenge; times++) {
    answer = await ask(await solve(answer.challenge));
    passed ||= answer.ok;
  }
  return answer;
}

async function checked<T>(ask: (token: string) => Promise<Answer<T>>): Promise<Answer<T>> {
  if (passed) {
    const answer = await ask("");
    if (!answer.errors.captcha_token) return answer;
  }
  let token = "";
  try {
    token = await humanToken();
  } catch (error) {
    if (error instanceof TypeError) return noAnswer(unreached());
    // No token: the server responds with the message.
  }
  const answer = await ask(token);
  passed = answer.status > 0 && answer.status !== 429 && token !== "" && !answer.errors.captcha_token;
  return answer;
}

let ahead = ""; // a token that no call has used
let asked = false;

/** Gets a token of the human check in advance for a beacon, which cannot wait. */
export async function prepareBeacon(): Promise<void> {
  if (passed || asked) return;
  asked = true;
  try {
    ahead = await humanToken();
  } catch (error) {
    asked = !(error instanceof TypeError); // the server was unreachable, so a retry may help
  }
}

/** Sends guarded JSON from a closing page. */
export function beacon(path: string, body: object): void {
  navigator.sendBeacon(path, JSON.stringify(ahead && !passed ? { ...body, captcha_token: ahead } : body));
  ahead = "";
}

const noAnswer = (message: string): Refusal => ({ ok: false, status: 0, message, errors: {}, retryAfter: 0 });
