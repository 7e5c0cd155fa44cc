import { load, remove, save } from "../runtime/storage.ts";

const name = (txn: string): string => `checkout:left:${txn}`;

/** Remembers that the browser leaves for the provider's page. */
export const leaves = (txn: string): void => save(name(txn), true);

/** Forgets it: the browser did not leave after all. */
export const stays = (txn: string): void => remove(name(txn));

/**
 * Reports whether the browser had left, and was brought back by its own button or by a reload: who did that is not sent to
 * the provider again unasked. Asked a second time it says no.
 */
export function cameBack(txn: string): boolean {
  const had = load(name(txn)) !== "";
  stays(txn);
  return had && shownAgain();
}

/** Reports whether the page is shown again, and not opened by a link or a form. */
function shownAgain(): boolean {
  const [opening] = performance.getEntriesByType("navigation");
  return opening !== undefined && "type" in opening && opening.type !== "navigate";
}
