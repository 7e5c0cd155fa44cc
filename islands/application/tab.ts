// What is typed and not on the server yet, in the storage of its tab: it survives a reload, a cut line, and a sign-in. Codes are
// not stored. A name holds whose it is: who signs in with another account does not find it.
import * as z from "zod/mini";
import { parseJSON } from "../runtime/schema.ts";
import { load, remove, save } from "../runtime/storage.ts";
import type { Payload } from "./view.ts";

const stored = z.object({
  /** When it was typed last, ms since 1970. */
  at: z.number(),
  values: z.record(z.string(), z.string()),
  /** Of the draft that it was typed over. */
  version: z.number(),
  /** Typed into last. */
  field: z.string(),
  /** Whether the page was sent since, by the browser itself. */
  sent: z.boolean(),
});
export type Stored = z.infer<typeof stored>;

type Owner = Pick<Payload, "registration" | "step">;
/** Pages that are the answer to a post know this name too (step.keptBy of pages/application). */
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
export const removeTab = (owner: Owner): void => remove(nameOf(owner));
