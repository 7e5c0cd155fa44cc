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
  const what = fileType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
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
  return { content, name: made ? asJPEG(file.name) : file.name, hash: await hashOf(content) };
}

const isLarge = ({ width, height }: ImageBitmap, bytes: number): boolean =>
  bytes > 512 * 1024 || Math.max(width, height) > mostPixels;
