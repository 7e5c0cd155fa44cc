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

/** Removes well-placed commas and the rupee sign from an amount. */
export function tidyAmount(value: string): string {
  const text = value.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "").replace(/^₹[ \t\n\v\f\r]*/, "");
  return /^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?$/.test(text) ? text.replaceAll(",", "") : text;
}
