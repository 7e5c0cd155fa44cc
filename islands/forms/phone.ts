/** Removes separators and invisible marks from a number. */
export const withoutSeparators = (typed: string): string => typed.replace(/[\s\p{Z}\p{Cf}\p{Pd}().]/gu, "");

/** An Indian number as people write it, without separators, country code and 0; the twin of TenDigits in forms/phone.go. */
export function tenDigits(typed: string): string {
  const number = withoutSeparators(typed);
  return /^(?:(?:\+|00)?91)?0?([0-9]{10})$/.exec(number)?.[1] ?? number;
}
