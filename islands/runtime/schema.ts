// The boundary: what comes from outside of our scripts (an answer, a payload in a page, tab storage) is parsed by a schema
// before it is used, never cast. A file that declares a schema imports this one, so that zod is configured before it.
import * as z from "zod/mini";

z.config({ jitless: true }); // no eval under the content security policy

export type Schema<T> = z.ZodMiniType<T>;

/** Returns a value from outside, or undefined if it is not of the schema's shape. */
export const parse = <T>(schema: Schema<T>, value: unknown): T | undefined => schema.safeParse(value).data;

/** Returns what a JSON text holds, or undefined if it is no JSON, or not of the schema's shape. */
export function parseJSON<T>(schema: Schema<T>, text: string): T | undefined {
  try {
    return parse(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

// A page loads each part of zod that is used: one z.refine stands for regex, minimum and their like.
const text = (isRight: (text: string) => boolean) => z.string().check(z.refine(isRight));
export const matching = (pattern: RegExp) => text((value) => pattern.test(value));

/** Zero or more, of whatever it is. */
export const natural = z.number().check(z.refine((value) => value >= 0));

/** A currency by its ISO code: a number is not formatted with any other text. */
export const currency = matching(/^[A-Z]{3}$/);

/**
 * An address of our own site, as a path or with the origin; the twin of SafeRedirect in admission/redirect.go. A browser
 * reads "//" and "/\" as another site, skips tabs and line breaks, and runs "javascript:".
 */
export const ownAddress = text((address) => {
  const { origin } = location;
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return /^\/(?!\/)[^\s\\]*$/.test(path);
});
