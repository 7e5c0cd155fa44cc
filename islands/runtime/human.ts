// The browser's part of the human check; integrations/captcha is the server's. The proof of work hashes in plain JavaScript, which
// is faster than a WebCrypto call per attempt and works over plain http.
import * as z from "zod/mini";
import { matching, parseJSON } from "./schema.ts";

/** A challenge as the server sends it. */
export const proofOfWork = z.object({
  provider: z.literal("pow"),
  salt: matching(/^[!-~]{1,44}$/), // salt and number together must fit into one SHA-256 block
  difficulty: z.number().check(z.refine((bits) => bits <= 32)), // leading zero bits of the hash
  expires: z.number(),
  signature: z.string(),
});
export type Challenge = Omit<z.infer<typeof proofOfWork>, "provider">;

const noCheck = z.object({ provider: z.literal("none") });
const checkService = z.object({ provider: z.literal(["recaptcha", "turnstile"]), siteKey: z.string() });

// SHA-256's constants: the first 32 fractional bits of square and cube roots of the first primes.
const fractionBits = (root: number) => (root * 2 ** 32) | 0;
const rounds: number[] = [];
const start: number[] = [];
for (let n = 2; rounds.length < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  if (start.length < 8) start.push(fractionBits(n ** 0.5));
  rounds.push(fractionBits(n ** (1 / 3)));
}
const constants = Int32Array.from(rounds);
const w = new Int32Array(64);
const rotate = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** The first 32 bits of SHA-256 of an ASCII text of at most 55 characters. */
function head(text: string): number {
  w.fill(0, 0, 16);
  for (let i = 0; i < text.length; i++) w[i >> 2] = at(i >> 2) | (text.charCodeAt(i) << (24 - (i % 4) * 8));
  w[text.length >> 2] = at(text.length >> 2) | (0x80 << (24 - (text.length % 4) * 8));
  w[15] = text.length * 8;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = start;
  for (let i = 0; i < 64; i++) {
    if (i > 15) {
      const x = at(i - 15);
      const y = at(i - 2);
      w[i] =
        at(i - 16) +
        (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) +
        at(i - 7) +
        (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
    }
    const t =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (constants[i] as number) + at(i);
    h = g;
    g = f;
    f = e;
    e = (d + t) | 0;
    d = c;
    c = b;
    b = a;
    const sum = t + (rotate(b, 2) ^ rotate(b, 13) ^ rotate(b, 22)) + ((b & c) ^ (b & d) ^ (c & d));
    a = sum | 0;
  }
  return (a + (start[0] as number)) >>> 0;
}

function at(i: number): number {
  return w[i] as number;
}

/** Solves a challenge in short slices, so that the page stays responsive, and returns the token. */
export async function solve(challenge: Challenge): Promise<string> {
  const { salt, difficulty, expires, signature } = challenge;
  for (let number = 0, slice = Date.now(); ; number++) {
    if (Math.clz32(head(salt + number)) >= difficulty) {
      return btoa(JSON.stringify({ salt, difficulty, expires, signature, number }))
        .replace(/\+/g, "-")
        .replace(/\//g, "_")
        .replace(/=/g, "");
    }
    if (number % 256 === 0 && Date.now() - slice > 12) {
      await new Promise((wake) => setTimeout(wake));
      slice = Date.now();
    }
  }
}

/**
 * Passes the human check and returns a token for one call; "" if there is no check. Rejects with a TypeError if the server is
 * unreachable, and with another error if no check is available or the response is unreadable; a call without a token then gets
 * the server's message.
 */
export async function humanToken(): Promise<string> {
  const answer = await fetch("/human/challenge", { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`human check: ${answer.status}`);
  const text = await answer.text();
  if (parseJSON(noCheck, text)) return "";
  const challenge = parseJSON(proofOfWork, text);
  if (challenge) return solve(challenge);
  const other = parseJSON(checkService, text);
  if (!other) throw new Error("human check: unreadable response");
  const { serviceToken } = await import("./service.ts"); // most sites never need it
  return serviceToken(other);
}
