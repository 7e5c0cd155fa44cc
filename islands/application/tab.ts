// Keeps unsaved input in the tab's session storage, where it survives a reload, a lost connection and a sign-in. Codes are not
// stored. The key contains the registration, so another account in the same tab does not find the input.
import * as z from "zod/mini";
import { parseJSON } from "../runtime/schema.ts";
import { load, remove, save } from "../runtime/storage.ts";
import type { Payload } from "./view.ts";

const stored = z.object({
  /** Time of the last input, ms since 1970. */
  at: z.number(),
  values: z.record(z.string(), z.string()),
  /** Version of the draft that the input changes. */
  version: z.number(),
  /** The last edited field. */
  field: z.string(),
  /** Whether the browser has posted the page since. */
  sent: z.boolean(),
});
export type Stored = z.infer<typeof stored>;

type Owner = Pick<Payload, "registration" | "step">;
/** Pages that answer a post use this key too (step.keptBy in pages/application). */
const nameOf = ({ registration, step }: Owner) => `application:${registration}:${step}`;
const lifetime = 7 * 24 * 60 * 60 * 1000; // ms

/** Returns this tab's stored values of a page. */
export function loadTab(owner: Owner, now: number): Stored | undefined {
  const found = parseJSON(stored, load(nameOf(owner)));
  if (found && now - found.at < lifetime) return found;
  removeTab(owner);
  return undefined;
}
export const saveTab = (owner: Owner, draft: Stored): void => saveTabAs(nameOf(owner), draft);
export const saveTabAs = (name: string, draft: Stored): void => save(name, draft);
export const removeTab = (owner: Owner): void => removeTabAs(nameOf(owner));
export const removeTabAs = (name: string): void => remove(name);
