/** A text in which "2–50", "6-9" and "e-mail" do not break across lines. */
export function Whole({ words }: { words: string }) {
  return words.split(/((?:\d+[–-]\d+|\b[Ee]-mails?)[.,;:!?]?)/).map((part, i) =>
    i % 2 ? (
      <span key={part} className="nowrap">
        {part}
      </span>
    ) : (
      part || null
    ),
  );
}
