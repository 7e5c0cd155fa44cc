// Checks a file before it is sent. The server checks every file again.
import { kilobytes } from "./words.ts";

export const mostBytes = 2_097_152; // spec "Uploads"

/** Kind of a row's document. */
export interface Kind {
  pdf: boolean;
  wrongType: string;
  tooLarge: string;
}

export interface Refusal {
  message: string;
  todo: string;
}

export type FileType = "picture" | "pdf" | "heic" | "other";

/** Returns a file's type by its first bytes; names can be wrong. */
export function fileType(start: Uint8Array): FileType {
  const text = String.fromCharCode(...start.slice(0, 16));
  if (text.startsWith("\xff\xd8\xff") || text.startsWith("\x89PNG")) return "picture";
  if (text.startsWith("%PDF-")) return "pdf";
  if (text.slice(4, 8) === "ftyp" && /^(hei|hev|mif1|msf1|avi)/.test(text.slice(8))) return "heic";
  return "other";
}

const heic =
  "This phone saved HEIC, which this browser cannot read. Set Camera, Formats, Most Compatible, and take the photo again.";

/**
 * Returns why a file is rejected; undefined if it is accepted.
 * @param what is the chosen file's content, size that of the file to send
 */
export function refusal(kind: Kind, what: FileType, name: string, size: number): Refusal | undefined {
  if (what === "heic" || /\.hei[cf]$/i.test(name)) return { message: kind.wrongType, todo: heic };
  if (what === "other" || (what === "pdf" && !kind.pdf)) return { message: kind.wrongType, todo: instead(kind, name) };
  if (size <= mostBytes) return undefined;
  const todo = kind.pdf
    ? `This ${what === "pdf" ? "PDF" : "photo"} has ${kilobytes(size)} KB. The limit is 2,048 KB. Choose the page that is asked for only, or photograph it.`
    : `This photo has ${kilobytes(size)} KB. The limit is 2,048 KB. Take it again with a lower resolution.`;
  return { message: kind.tooLarge, todo };
}

function instead(kind: Kind, name: string): string {
  const word = /\.docx?$/i.test(name) ? "This is a Word file. " : "";
  return (
    word +
    (kind.pdf ? "Save it as PDF, or photograph the document." : "Take a photo with the camera, or save it as JPG.")
  );
}
