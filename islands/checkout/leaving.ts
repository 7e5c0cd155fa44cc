import { load, remove, save } from "../runtime/storage.ts";

const name = (txn: string): string => `checkout:left:${txn}`;

/** Stores that the browser is leaving for the provider's page. */
export const leaves = (txn: string): void => save(name(txn), true);

/** Deletes the mark, because the browser did not leave. */
export const stays = (txn: string): void => remove(name(txn));

/**
 * Reports, once, whether the payer left and came back by Back or a reload. Such a payer must press a button before the page
 * opens the provider's again.
 */
export function cameBack(txn: string): boolean {
  const had = load(name(txn)) !== "";
  stays(txn);
  return had && shownAgain();
}

/** Reports whether Back or a reload opened the page. */
function shownAgain(): boolean {
  const [opening] = performance.getEntriesByType("navigation");
  return opening !== undefined && "type" in opening && opening.type !== "navigate";
}
