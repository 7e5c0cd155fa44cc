/** A text in which no "2–50", "6-9" or "e-mail" breaks. */
export function Whole({ words }: { words: string }) {
  return words.split(/(\d+[–-]\d+|\b[Ee]-mails?)/).map((part, i) =>
    i % 2 ? (
      <span key={part} className="whole">
        {part}
      </span>
    ) : (
      part || null
    ),
  );
}
