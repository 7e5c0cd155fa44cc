import { asciiDigits } from "./date.ts";

/** Removes separators and invisible marks from a number, and replaces the digits of India's scripts. */
export const withoutSeparators = (typed: string): string =>
  asciiDigits(typed.replace(/[\s\p{Z}\p{Cf}\p{Pd}().]/gu, ""));

/** Returns an Indian number without separators, country code and leading 0, as TenDigits in forms/phone.go. */
export function tenDigits(typed: string): string {
  const number = withoutSeparators(typed);
  return /^(?:(?:\+|00)?91)?0?([0-9]{10})$/.exec(number)?.[1] ?? number;
}
