// @vitest-environment node
import { expect, test } from "vitest";
import { type FileType, fileType, mostBytes, refusal } from "./judge.ts";

const photo = {
  pdf: false,
  wrongType: "Only JPG, JPEG, or PNG files are allowed",
  tooLarge: "Photo must be less than or equal to 2MB",
};
const marks = {
  pdf: true,
  wrongType: "Only JPG, JPEG, PDF, or PNG files are allowed",
  tooLarge: "Marksheet must be less than or equal to 2MB",
};
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each<[string, string, FileType]>([
  ["a JPEG", "\xff\xd8\xff\xe0", "picture"],
  ["a PNG", "\x89PNG\r\n", "picture"],
  ["a PDF", "%PDF-1.7", "pdf"],
  ["HEIC", "\0\0\0\x18ftypheic", "heic"],
  ["a film is no photo", "\0\0\0\x18ftypmp42", "other"],
  ["Word", "PK\x03\x04", "other"],
  ["nothing", "", "other"],
])("%s is recognised by its first bytes", (_, start, want) => expect(fileType(bytes(start))).toBe(want));

test.each([
  ["a good photo", photo, "picture", "a.jpg", mostBytes, undefined],
  [
    "a byte too much",
    photo,
    "picture",
    "a.jpg",
    mostBytes + 1,
    "Photo must be less than or equal to 2MB | This photo has 2,049 KB. The limit is 2,048 KB. Take it again with a lower resolution.",
  ],
  [
    "a PDF as photo",
    photo,
    "pdf",
    "a.pdf",
    1,
    "Only JPG, JPEG, or PNG files are allowed | Take a photo with the camera, or save it as JPG.",
  ],
  ["a PDF as marksheet", marks, "pdf", "a.pdf", 1, undefined],
  [
    "a large PDF",
    marks,
    "pdf",
    "all.pdf",
    6349 * 1024,
    "Marksheet must be less than or equal to 2MB | This PDF has 6,349 KB. The limit is 2,048 KB. Choose the page that is asked for only, or photograph it.",
  ],
  [
    "a Word file",
    marks,
    "other",
    "id.docx",
    1,
    "Only JPG, JPEG, PDF, or PNG files are allowed | This is a Word file. Save it as PDF, or photograph the document.",
  ],
  [
    "HEIC, by its bytes",
    photo,
    "heic",
    "IMG.jpg",
    1,
    "Only JPG, JPEG, or PNG files are allowed | This phone saved HEIC, which this browser cannot read. Set Camera, Formats, Most Compatible, and take the photo again.",
  ],
  [
    "HEIC, by its name",
    marks,
    "other",
    "IMG_2041.HEIC",
    1,
    "Only JPG, JPEG, PDF, or PNG files are allowed | This phone saved HEIC, which this browser cannot read. Set Camera, Formats, Most Compatible, and take the photo again.",
  ],
] as const)("%s", (_, kind, what, name, size, want) => {
  const result = refusal(kind, what, name, size);
  expect(result && `${result.message} | ${result.todo}`).toBe(want);
});
