// Writes photos as one PDF, a page each, in the small part of PDF 1.4 (ISO 32000, 7.5) that pictures need. A library would be
// 180 KB.

export interface Sheet {
  jpeg: Blob; // RGB, from a canvas
  width: number; // in pixels
  height: number;
}

const longest = 842; // longer side of a page in points, as A4's

/** Writes one PDF of these pages. */
export function pdfOf(sheets: Sheet[]): Blob {
  const parts: (string | Blob)[] = [];
  const begins: number[] = [];
  let at = 0;
  const write = (...added: (string | Blob)[]): void => {
    for (const part of added) at += typeof part === "string" ? part.length : part.size; // text is ASCII
    parts.push(...added);
  };
  const object = (...content: (string | Blob)[]): void => {
    begins.push(at);
    write(`${begins.length} 0 obj\n`, ...content, "\nendobj\n");
  };
  write("%PDF-1.4\n");
  object("<</Type/Catalog/Pages 2 0 R>>");
  object(`<</Type/Pages/Kids[${sheets.map((_, i) => `${3 + 3 * i} 0 R`).join(" ")}]/Count ${sheets.length}>>`);
  for (const { jpeg, width, height } of sheets) {
    const next = begins.length + 2;
    const scale = longest / Math.max(width, height);
    const [w, h] = [width, height].map((side) => Math.round(side * scale));
    const draws = `q ${w} 0 0 ${h} 0 0 cm /P Do Q`;
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${w} ${h}]/Contents ${next} 0 R/Resources<</XObject<</P ${next + 1} 0 R>>>>>>`,
    );
    object(`<</Length ${draws.length}>>\nstream\n${draws}\nendstream`);
    object(
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.size}>>\nstream\n`,
      jpeg,
      "\nendstream",
    );
  }
  const table = at;
  const lines = begins.map((begin) => `${String(begin).padStart(10, "0")} 00000 n \n`).join("");
  const count = begins.length + 1;
  write(`xref\n0 ${count}\n0000000000 65535 f \n${lines}`);
  write(`trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}
