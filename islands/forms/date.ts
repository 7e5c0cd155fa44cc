// Dates and amounts of forms: the part of forms/date.go and forms/amount.go that the browser needs.

/** Joins three inputs or one to DD-MM-YYYY; an invalid date stays as typed, for a rule to reject. */
export function tidyDate(value: string): string {
  const text = value.replace(/^[ \t\n\v\f\r,./-]+|[ \t\n\v\f\r,./-]+$/g, "");
  const iso = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (iso) return `${iso[3]}-${iso[2]}-${iso[1]}`;
  const typed = /^([0-9]{1,2})[ ,./-]+([0-9]{1,2})[ ,./-]+([0-9]{4})$/.exec(text);
  if (typed) return `${typed[1]?.padStart(2, "0")}-${typed[2]?.padStart(2, "0")}-${typed[3]}`;
  return text;
}

/** Reports whether DD-MM-YYYY is a valid date from 1900. */
export function isDate(value: string): boolean {
  if (!/^[0-9]{2}-[0-9]{2}-[0-9]{4}$/.test(value)) return false;
  const [day = 0, month = 0, year = 0] = value.split("-").map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year >= 1900 && day >= 1 && day <= days;
}

/** Splits a date into day, month and year; an invalid date is returned whole as the day. */
export function dateParts(value: string): string[] {
  const [day = "", month, ...rest] = value.split(",");
  if (month !== undefined && rest.length > 0) return [day, month, rest.join(",")];
  const tidy = tidyDate(value);
  return /^[0-9]{2}-[0-9]{2}-[0-9]{4}$/.test(tidy) ? tidy.split("-") : [value, "", ""];
}

const isoOf = (date: string): string => `${date.slice(6)}-${date.slice(3, 5)}-${date.slice(0, 2)}`;

/** Reports whether DD-MM-YYYY is before today. */
export const isPast = (value: string, today: string): boolean => isDate(value) && isoOf(value) < today;

/** Reports whether a person born on a clean date is younger than so many years today (YYYY-MM-DD). */
export function under(years: number, born: string, today: string): boolean {
  if (!isPast(born, today)) return false;
  const iso = isoOf(born);
  return today < String(Number(iso.slice(0, 4)) + years).padStart(4, "0") + iso.slice(4);
}

/** Returns the years from the current one down to 1951. */
export function examYears(today: string): { value: string; label: string }[] {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(today)) return [];
  const years = Math.max(0, Number(today.slice(0, 4)) - 1950);
  return Array.from({ length: years }, (_, ago) => {
    const year = String(Number(today.slice(0, 4)) - ago);
    return { value: year, label: year };
  });
}

const typedSum =
  /^(?:(?:₹|rs\.?|inr|rupees)[ \t]*)?([0-9]+|[0-9]{1,3}(?:[, ][0-9]{2,3})*[, ][0-9]{3})(\.[0-9]*)?[ \t]*(lakhs?|lacs?)?[ \t]*(?:\/-|\/=)?[ \t]*(?:rs\.?|inr|rupees)?[ \t]*(?:only)?\.?$/;

/** Removes what people write around and between the digits of an amount, and multiplies lakhs. */
export function tidyAmount(value: string): string {
  const text = value.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "");
  const [, whole, fraction = "", lakh] = typedSum.exec(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())) ?? [];
  if (whole === undefined) return text;
  const digits = whole.replace(/[, ]/g, "");
  if (!lakh) return digits + fraction.replace(/\.$/, "");
  const decimals = fraction.slice(1);
  return decimals.length > 5 ? text : (digits + decimals.padEnd(5, "0")).replace(/^0+/, "");
}

/** Converts 75% to 75, and CGPA: 8.1 or 8.1/10 to 8.1 CGPA. */
export const tidyPercentage = (value: string): string =>
  value
    .replace(/^([0-9]+(?:\.[0-9]+)?)[ \t]*(?:%|per ?cent|percentage)\.?$/i, "$1")
    .replace(
      /^(?:cgpa[ \t:=-]*([0-9]+(?:\.[0-9]+)?)|([0-9]+(?:\.[0-9]+)?)[ \t]*\/[ \t]*10(?:\.0)?(?:[ \t]*cgpa)?)$/i,
      "$1$2 CGPA",
    );

// The zeros of the scripts of India, Arabic's two included. The other nine digits follow each.
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x1c50, 0xabf0];

/** Replaces the digits of India's scripts: ९८७ becomes 987. */
export const asciiDigits = (value: string): string =>
  value.replace(/[\u0660-\uabf9]/g, (sign) => {
    const zero = zeros.find((one) => sign.charCodeAt(0) >= one && sign.charCodeAt(0) <= one + 9);
    return zero === undefined ? sign : String(sign.charCodeAt(0) - zero);
  });
