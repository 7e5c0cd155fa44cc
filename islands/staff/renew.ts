/** How long a part stays, in milliseconds, and how often it is renewed at most: a page that is left open must not keep the session. */
const EACH = 2000;
const MOST = 300;

/** Replaces a part of the page by its present state, as long as that says that it changes. */
export function renew(part: HTMLElement, left = MOST): void {
  if (left === 0) return;
  setTimeout(async () => {
    const fresh = await load(part.id);
    const replaced = fresh && !part.contains(document.activeElement) ? fresh : part;
    if (replaced !== part) part.replaceWith(replaced);
    if (replaced.dataset.renew !== undefined) renew(replaced, left - 1);
  }, EACH);
}

async function load(id: string): Promise<HTMLElement | null> {
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
  } catch {
    return null; // offline: the next one may work
  }
}
