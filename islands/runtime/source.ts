// The source of a visit: campaign, referring host and first page. Tab storage keeps it for the form, without a cookie and
// without anything that identifies a person. admission.Source drops invalid values.
import { load, saveText } from "./storage";

const name = "visit:source";

/** Stores the source of a visit that begins on this page, and fills it into the page's forms. */
export function rememberSource(): void {
  if (!load(name)) {
    const source = sourceOf(new URL(location.href), document.referrer);
    if (source) saveText(name, source);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type="hidden"][name="source"]')) {
    field.value ||= visitSource();
  }
}

/** Returns the source of this visit; "" if unknown. */
export const visitSource = (): string => load(name);

function sourceOf(here: URL, referrer: string): string {
  const landing = /^\/(?:scholarship|apply)\/([a-z0-9-]+)/.exec(here.pathname)?.[1];
  const isPublic = landing || /^\/(?:hiresure|scholarship|apply|legal\/[a-z-]+)$/.test(here.pathname);
  if (!isPublic) return ""; // returns from payment and tickets start no visit
  const source = new URLSearchParams();
  for (const [key, value] of here.searchParams) if (key.startsWith("utm_") && !source.has(key)) source.set(key, value);
  const from = URL.canParse(referrer) ? new URL(referrer) : here;
  if (from.host && from.host !== here.host) source.set("referrer", from.hostname);
  if (source.size > 0 && landing) source.set("landing", landing);
  return source.toString().slice(0, 1000);
}
