// Replaces this page with the server's, because only the server knows each document's state.
import { pagePath } from "./wire.ts";

const get = (init?: RequestInit): Promise<Response> =>
  fetch(pagePath, { ...init, headers: { Accept: "text/html" }, signal: AbortSignal.timeout(60_000) });

/** Requests this page, or posts fields and returns the response; undefined if offline. */
export async function fetchPage(fields?: FormData): Promise<Document | undefined> {
  try {
    const answer = await get(fields && { method: "POST", body: fields });
    const { pathname, search } = new URL(answer.url);
    if (pathname !== pagePath || (search && search !== "?open")) {
      location.assign(answer.url); // submitted, signed out, or not at this step any more
      return await new Promise(() => {});
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("form[data-island=upload]") ? page : undefined;
  } catch {
    return undefined;
  }
}

export const rowsOf = (place: ParentNode): HTMLElement[] => [...place.querySelectorAll<HTMLElement>("li.document")];

/**
 * Replaces the page's head, rows and errors with the server's, except the rows of running uploads. If the focused row was
 * replaced, focuses its file field; a summary of errors takes the focus.
 */
export function adopt(form: HTMLElement, page: Document, stays: (kind: string) => boolean): void {
  const focused = document.activeElement?.closest<HTMLElement>("li.document")?.dataset.kind ?? "";
  for (const selector of [".rail", ".application-intro"]) {
    const next = page.querySelector(selector);
    if (next) document.querySelector(selector)?.replaceWith(next);
  }
  for (const next of rowsOf(page)) {
    const kind = next.dataset.kind ?? "";
    const row = form.querySelector(`li[data-kind="${kind}"]`);
    if (row && !stays(kind)) row.replaceWith(next);
    if (kind === focused && !next.contains(document.activeElement) && next.isConnected)
      next.querySelector<HTMLElement>("input[type=file]")?.focus();
  }
  form.querySelector(".error-summary")?.remove();
  const summary = page.querySelector<HTMLElement>("form .error-summary");
  if (summary) {
    form.querySelector(".documents")?.before(summary);
    summary.focus();
  }
  const [bar, nextBar] = [form, page].map((place) => place.querySelector(".documents-bar"));
  nextBar?.querySelectorAll("button").forEach((next, i) => {
    const old = bar?.querySelectorAll("button")[i];
    if (old) old.className = next.className;
  });
}
