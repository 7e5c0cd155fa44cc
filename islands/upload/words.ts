// Texts about running uploads. The server has those about finished ones.

const inWords = ["None", "One", "Two", "Three", "Four"];
const counted = (n: number): string => inWords[n] ?? String(n);

/** Formats kilobytes as the server does, rounded up. */
export const kilobytes = (bytes: number): string => Math.ceil(bytes / 1024).toLocaleString("en");

const arrived = (sent: number, size: number): string =>
  `${Math.floor(sent / 1024).toLocaleString("en")} of ${kilobytes(size)} KB`;

export const percent = (sent: number, size: number): number => Math.floor((sent / size) * 100);

/**
 * Returns the remaining time in coarse steps; "" while unknown.
 * @param sent bytes since this attempt began, in so many milliseconds
 */
export function timeLeft(sent: number, milliseconds: number, rest: number): string {
  if (sent <= 0 || milliseconds < 1000) return "";
  const seconds = (rest / sent) * (milliseconds / 1000);
  if (seconds <= 5) return "about 5 seconds left";
  if (seconds <= 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "about a minute left" : `about ${minutes} minutes left`;
}

export const going = (sent: number, size: number, left: string): string =>
  arrived(sent, size) + (left ? `, ${left}` : "");

/** @param seconds until the next attempt; 0 during it */
export const lost = (sent: number, size: number, seconds: number): string =>
  `Connection lost at ${arrived(sent, size)}. ${seconds > 0 ? `Resuming in ${seconds} s` : "Resuming now"}`;

export const begun = (name: string, sent: number, size: number): string =>
  `${name}: ${arrived(sent, size)} uploaded. Choose the same file to resume`;

/** Text for a file that was not sent because the script did not load. */
export const notLoaded = "We cannot be reached at the moment. Press Continue now to try again";

export const stopping = "Stopping…";
export const stopped = "stopped and deleted";
export const notForgotten = "Stopped, but we could not delete the uploaded part. We delete it after a day";

export const checking = "We are checking it, a few seconds";

export const continues = "Keep this page open. If the connection drops, the upload continues.";
export const notYetForgotten = "The uploaded part is not deleted yet.";

/** The page's first line during uploads; stopped ones may still exist on the server. */
export function headline(there: number, onTheWay: number, stopped = 0): string {
  if (onTheWay === 0) return `${stopped} stopped`;
  return there === 0 ? `${onTheWay} uploading` : `${there} uploaded, ${onTheWay} uploading`;
}

/** Counts of documents: needed, missing or rejected of those, rejected of those, and rejected including the optional one. */
export interface Counted {
  needed: number;
  open: number;
  wrong: number;
  refused: number;
}

/** The words of the header: "1 to fix, 2 missing". */
export const railed = (refused: number, missing: number): string =>
  [refused && `${refused} to fix`, missing && `${missing} missing`].filter(Boolean).join(", ");

/** The page's first line if some were rejected, as in pages/hiresure/upload_view.go. */
export function headed({ needed, open, wrong, refused }: Counted): { title: string; lede: string } {
  if (open === 0)
    return {
      title: `All ${counted(needed).toLowerCase()} are in`,
      lede: "We could not take the optional file; it says why. You can SUBMIT without it.",
    };
  const documents = open === 1 ? "One document" : `${counted(open)} documents`;
  const state = wrong === 0 ? `${open === 1 ? "is" : "are"} missing` : "to fix";
  const title =
    wrong > 0 && wrong < open
      ? `${counted(wrong)} to fix, ${counted(open - wrong).toLowerCase()} missing`
      : `${documents} ${state}`;
  const where = refused === 1 ? "See below" : "Below each one, see";
  const which = wrong < open || wrong < refused ? "Below each refused file, see" : where;
  return { title, lede: `${which} what is wrong. Uploaded files are kept.` };
}
