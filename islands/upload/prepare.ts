import type { Chosen } from "./crop.ts";
import { fileType, type Kind, type Refusal, refusal } from "./judge.ts";
import { asJPEG, hashOf, jpeg, mostPixels, read } from "./picture.ts";

/** A file to send. */
export interface Prepared {
  content: Blob;
  name: string;
  hash: string;
}

/** Asks for a photo's crop; returns a canvas if the photo was turned, undefined if cancelled. */
export type Crop = (picture: ImageBitmap) => Promise<Chosen | undefined>;

/** Prepares a file for sending: crops and shrinks a photo and turns it upright. undefined if cancelled. */
export async function prepare(kind: Kind, file: File, crop?: Crop): Promise<Prepared | Refusal | undefined> {
  const start = await bytesOf(file.slice(0, 16));
  if (!start) return changed;
  const what = fileType(new Uint8Array(start));
  const picture = what === "picture" || what === "heic" ? await read(file) : undefined;
  let content: Blob = file;
  if (picture && crop) {
    const chosen = await crop(picture);
    if (!chosen) return undefined;
    content = await jpeg(chosen.picture, chosen.part);
  } else if (picture && (what === "heic" || isLarge(picture, file.size))) {
    content = await jpeg(picture, { x: 0, y: 0, width: picture.width, height: picture.height });
  }
  picture?.close();
  const made = content !== file;
  const refused = refusal(kind, made ? "picture" : what, made ? "" : file.name, content.size);
  if (refused) return refused;
  const kept = await bytesOf(content); // a file of a cloud drive may change or vanish while it is sent
  if (!kept) return changed;
  content = new Blob([kept], { type: content.type });
  return { content, name: made ? asJPEG(file.name) : file.name, hash: await hashOf(content) };
}

/** Refuses a file that the device no longer gives. */
export const changed: Refusal = {
  message: "This file cannot be read any more",
  todo: "It was changed, moved or deleted since you chose it. Choose it again.",
};

/** Reads a file; undefined if the device no longer gives it. */
export const bytesOf = (file: Blob): Promise<ArrayBuffer | undefined> => file.arrayBuffer().catch(() => undefined);

const isLarge = ({ width, height }: ImageBitmap, bytes: number): boolean =>
  bytes > 512 * 1024 || Math.max(width, height) > mostPixels;
