// The boundary for external data: responses, payloads in pages and tab storage are parsed by a schema before use, never cast. Files
// with schemas import this one, so that zod is configured first.
import * as z from "zod/mini";

z.config({ jitless: true }); // our content security policy forbids eval

export type Schema<T> = z.ZodMiniType<T>;

/** Returns an external value, or undefined if it does not match the schema. */
export const parse = <T>(schema: Schema<T>, value: unknown): T | undefined => schema.safeParse(value).data;

/** Returns the value of a JSON text, or undefined if it is invalid or does not match the schema. */
export function parseJSON<T>(schema: Schema<T>, text: string): T | undefined {
  try {
    return parse(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

// Pages load each part of zod in use, so z.refine replaces regex, minimum and the like.
const text = (isRight: (text: string) => boolean) => z.string().check(z.refine(isRight));
export const matching = (pattern: RegExp) => text((value) => pattern.test(value));

/** Zero or more. */
export const natural = z.number().check(z.refine((value) => value >= 0));

/** An ISO currency code; Intl.NumberFormat throws for a text that is not three letters. */
export const currency = matching(/^[A-Z]{3}$/);

/**
 * An address of our own site, as a path or with the origin, as SafeRedirect in admission/redirect.go. Browsers treat "//" and "/\"
 * as another site, ignore tabs and line breaks, and run "javascript:".
 */
export const ownAddress = text((address) => {
  const { origin } = location;
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return /^\/(?!\/)[^\s\\]*$/.test(path);
});
