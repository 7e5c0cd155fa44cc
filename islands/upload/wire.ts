// What the server answers about uploads (pages/hiresure/tus.go).
import * as z from "zod/mini";
import { natural, type Schema } from "../runtime/schema.ts";

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
/** An upload as the server has it. */
export type Begun = z.infer<typeof verdictSchema>;

export const listSchema = z.object({ uploads: z.array(verdictSchema) });

export const refusalSchema: Schema<{ message: string; errors?: Record<string, string> | undefined }> = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.string())),
});
