import { beside, toast } from "./toast";

/** How long a press waits for the picture: browsers allow sharing only soon after the press. */
const pictureWithin = 1000;

/**
 * Shares the address in [data-share] through the phone's share sheet, or copies it. If the browser shares files, it adds
 * [data-picture], which is fetched when a pointer nears the button.
 */
export function share(button: HTMLElement): void {
  const { share: url = "", title = "", text = "", picture = "" } = button.dataset;
  let fetched: Promise<File | undefined> | undefined;
  const fetchPicture = () => {
    if (picture && takes({ files: [new File([], "ticket.png", { type: "image/png" })] })) fetched ??= fileOf(picture);
  };
  button.addEventListener("pointerdown", fetchPicture);
  button.addEventListener("focus", fetchPicture);
  button.addEventListener("click", async () => {
    fetchPicture();
    const file =
      fetched && (await Promise.race([fetched, new Promise<undefined>((late) => setTimeout(late, pictureWithin))]));
    const data: ShareData = { title, text, url };
    const whole: ShareData = { ...data, files: file && [file] };
    try {
      await navigator.share(file && takes(whole) ? whole : data);
    } catch (error) {
      // no share sheet, or it failed or was closed
      if (!(error instanceof DOMException && error.name === "AbortError")) await copy(button, url, "Link");
    }
  });
}

const takes = (data: ShareData) => navigator.canShare?.(data) ?? false;

async function fileOf(picture: string): Promise<File | undefined> {
  try {
    const answer = await fetch(picture);
    return answer.ok ? new File([await answer.arrayBuffer()], "ticket.png", { type: "image/png" }) : undefined;
  } catch {
    return undefined; // share the link alone
  }
}

/** Copies the text in [data-copy]; [data-what] names it unless it is a code. */
export function copyOnClick(button: HTMLElement): void {
  const { copy: text = "", what = "Code" } = button.dataset;
  button.addEventListener("click", () => copy(button, text, what));
}

async function copy(button: HTMLElement, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`, "success", button.parentElement);
  } catch {
    if (button.parentElement) {
      beside(
        `The ${what.charAt(0).toLowerCase() + what.slice(1)} could not be copied. Copy it from here:`,
        button.parentElement,
        "alert",
      ).append(fieldOf(text));
    }
  }
}

/** Shows a selected text to copy by hand. */
function fieldOf(text: string): HTMLTextAreaElement {
  const field = document.createElement("textarea");
  field.className = "input";
  field.rows = 2;
  field.readOnly = true;
  field.value = text;
  field.setAttribute("aria-label", "To copy by hand");
  field.addEventListener("focus", () => field.select());
  return field;
}
