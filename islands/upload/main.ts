// The documents page: uploads each file when it is chosen, resumes it after a break, and shows it in the server's row. Without
// this script the form sends all files at once.
import type { Chosen } from "./crop.ts";
import { acceptDrops } from "./drop.ts";
import type { Kind, Refusal } from "./judge.ts";
import { fetchPage } from "./page.ts";
import { prepare } from "./prepare.ts";
import { Uploads } from "./uploads.ts";
import { listUploads } from "./wire.ts";

export default function upload(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement)) return;
  const uploads = new Uploads(form);
  form.classList.add("is-live");
  const chosen = (row: HTMLElement, files: File[]): void => void choose(uploads, row, files);
  const takeFrom = (target: EventTarget | null): void => {
    if (!(target instanceof HTMLInputElement) || !target.files?.length) return;
    const row = target.closest<HTMLElement>("li.document");
    const files = [...target.files];
    target.value = ""; // so that the same file can be chosen again, and the form does not send it too
    if (row) chosen(row, files);
  };
  form.addEventListener("change", ({ target }) => takeFrom(target));
  for (const input of form.querySelectorAll("input[type=file]")) takeFrom(input); // chosen before this loaded
  form.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "file") target.multiple = !!target.closest("[data-pdf]"); // also in rows that the server has rendered since
  });
  acceptDrops(form, chosen);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void press(uploads, form, event.submitter);
  });
  void listUploads().then((begun) => uploads.found(begun ?? [])); // if offline, the next visit shows them
}

async function choose(uploads: Uploads, row: HTMLElement, files: File[]): Promise<void> {
  const { kind = "", wrongType = "", tooLarge = "" } = row.dataset;
  const [first] = files;
  if (!first || uploads.has(kind)) return;
  const facts: Kind = { pdf: "pdf" in row.dataset, wrongType, tooLarge };
  const file = facts.pdf && files.length > 1 ? await asOne(row, facts, files) : first;
  if (!file) return;
  if ("todo" in file) return uploads.refuse(kind, first, file.message, file.todo);
  const ready = await prepare(facts, file, kind === "photo" ? (bitmap) => part(row, bitmap) : undefined);
  if (!ready) return;
  if ("todo" in ready) return uploads.refuse(kind, file, ready.message, ready.todo);
  if (!uploads.has(kind)) await uploads.send(kind, ready);
}

/** Makes one document of several photos; undefined if the visitor cancels. */
async function asOne(row: HTMLElement, kind: Kind, files: File[]): Promise<File | Refusal | undefined> {
  const script = await import("./pages.ts").catch(() => undefined);
  if (script) return script.pages(row, kind, files);
  return { message: "We cannot be reached at the moment", todo: "Choose these photos again, or one at a time." };
}

/** Asks for a photo's crop; keeps the whole photo if the script for it does not load. */
async function part(row: HTMLElement, bitmap: ImageBitmap): Promise<Chosen | undefined> {
  const form = row.closest("form");
  const script = await import("./crop.ts").catch(() => undefined);
  if (script && form) return script.crop(form, bitmap);
  return { picture: bitmap, part: { x: 0, y: 0, width: bitmap.width, height: bitmap.height } };
}

/** Deletes or submits, and updates the page in place. */
async function press(uploads: Uploads, form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  button?.setAttribute("aria-busy", "true");
  const page = await fetchPage(new FormData(form, button));
  button?.removeAttribute("aria-busy");
  if (page) return uploads.take(page);
  const { toast } = await import("../runtime/toast.ts");
  toast("We cannot be reached at the moment. Nothing is lost. Please try again.", "failed");
}
