const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Kolkata" });

/** A time of day in India, "12:04"; at: ms since 1970. */
export const clock = (at: number): string => format.format(at);
