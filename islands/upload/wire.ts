// The server's responses about uploads (pages/hiresure/tus.go).
import * as z from "zod/mini";
import { natural, parseJSON, type Schema } from "../runtime/schema.ts";

export const pagePath = "/hiresure/upload-doc";
export const filesPath = `${pagePath}/files`;

export const verdictSchema = z.object({
  address: z.string(),
  kind: z.string(),
  name: z.string(),
  size: natural,
  sha256: z.string(),
  received: natural,
  state: z.enum(["receiving", "checking", "ready", "refused"]),
});
/** An upload's state on the server. */
export type Begun = z.infer<typeof verdictSchema>;

const listSchema = z.object({ uploads: z.array(verdictSchema) });

export const refusalSchema: Schema<{ message: string; errors?: Record<string, string> | undefined }> = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.string())),
});

/** Returns the server's newest upload of each kind that is not a document yet; undefined if the server is unreachable. */
export const listUploads = (): Promise<Begun[] | undefined> =>
  fetch(filesPath, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(20_000) })
    .then(async (answer) => parseJSON(listSchema, await answer.text())?.uploads)
    .catch(() => undefined);

/** Deletes an upload on the server; false if it may still exist. */
export async function forget(address: string): Promise<boolean> {
  const headers = { "Tus-Resumable": "1.0.0", Accept: "application/json" };
  const signal = AbortSignal.timeout(20_000);
  const answer = await fetch(address, { method: "DELETE", headers, signal }).catch(() => undefined);
  return answer !== undefined && (answer.ok || answer.status === 404);
}
