// Turns several photos into one document: the visitor orders and removes pages. Loaded when several photos are chosen.
import { fileType, type Kind, mostBytes, type Refusal, refusal } from "./judge.ts";
import { pdfOf, type Sheet } from "./pdf.ts";
import { jpeg, read, scaled } from "./picture.ts";
import { bytesOf, changed } from "./prepare.ts";
import { element } from "./row.ts";
import { kilobytes } from "./words.ts";

interface Page extends Sheet {
  name: string;
}

const smaller = 0.6; // JPEG quality if the pages are too large together

const markup = `
  <div class="application-intro"><p class="eyebrow"></p><h1 tabindex="-1"></h1>
    <p class="lede">We join these pages into one file, in this order.</p></div>
  <p class="visually-hidden" role="status"></p>
  <ol class="crop-pages"></ol>
  <div class="document-file is-more"><span class="document-drop" aria-hidden="true">Drop more photos here, or</span>
    <label for="f-page">Add a page</label>
    <input type="file" id="f-page" accept="image/jpeg,image/png" multiple></div>
  <div class="application-buttons"><button class="button button-outline" type="button" data-cancel>Cancel</button>
    <button class="button" type="button" data-use>Use these pages</button></div>`;

/** Shows the photos in place of the page, to order them, and makes one PDF; undefined if the visitor cancels. */
export async function pages(row: HTMLElement, kind: Kind, files: File[]): Promise<File | Refusal | undefined> {
  const first: Page[] = [];
  for (const file of files) {
    const made = await pageOf(kind, file);
    if ("todo" in made) return made;
    first.push(made);
  }
  const chosen = await new Promise<Page[] | undefined>((resolve) => new Stage(row, kind, first, resolve));
  const [cover] = chosen ?? [];
  if (!chosen || !cover) return undefined;
  const pdf = await fitting(chosen);
  if (pdf.size > mostBytes)
    return {
      message: kind.tooLarge,
      todo: `These pages have ${kilobytes(pdf.size)} KB together. The limit is 2,048 KB. Leave out what is not asked for.`,
    };
  return new File([pdf], `${cover.name.replace(/\.[^.]+$/, "")}.pdf`, { type: "application/pdf" });
}

/** Turns a photo into a page: small and upright. */
async function pageOf(kind: Kind, file: File): Promise<Page | Refusal> {
  const start = await bytesOf(file.slice(0, 16));
  if (!start) return changed;
  const what = fileType(new Uint8Array(start));
  if (what === "pdf") return { message: "This is a PDF", todo: "Choose one PDF, or photos only." };
  const picture = what === "other" ? undefined : await read(file);
  if (!picture) {
    const unread = { message: kind.wrongType, todo: "This picture cannot be read. Take it again, or save it as JPG." };
    return refusal(kind, what, file.name, 0) ?? unread;
  }
  const { width, height } = picture;
  const small = await jpeg(picture, { x: 0, y: 0, width, height });
  picture.close();
  return { jpeg: small, name: file.name, ...scaled(width, height) };
}

/** Makes one PDF, with lower but readable quality if the pages are too large together. */
async function fitting(chosen: Page[]): Promise<Blob> {
  const pdf = pdfOf(chosen);
  if (pdf.size <= mostBytes) return pdf;
  const sheets: Sheet[] = [];
  for (const { width, height, ...page } of chosen) {
    const picture = await createImageBitmap(page.jpeg);
    sheets.push({ jpeg: await jpeg(picture, { x: 0, y: 0, width, height }, smaller), width, height });
    picture.close();
  }
  return pdfOf(sheets);
}

class Stage {
  private readonly place = document.createElement("section");
  private readonly work: HTMLElement | null;

  constructor(
    private readonly row: HTMLElement,
    private readonly kind: Kind,
    private pages: Page[],
    private readonly done: (pages: Page[] | undefined) => void,
  ) {
    this.place.className = "crop application-body is-live";
    this.place.innerHTML = markup;
    this.find(".eyebrow").textContent = row.dataset.label ?? "";
    this.find("[data-cancel]").addEventListener("click", () => this.end(undefined));
    this.find("[data-use]").addEventListener("click", () => this.end(this.pages));
    this.place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end(undefined);
    });
    this.find("input").addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const files = [...(target.files ?? [])];
      target.value = "";
      void this.more(files);
    });
    this.drops();
    this.work = row.closest<HTMLElement>(".application-body");
    this.work?.before(this.place);
    if (this.work) this.work.hidden = true;
    this.draw();
    scrollTo(0, 0);
    this.find("h1").focus();
  }

  private find(selector: string): HTMLElement {
    const found = this.place.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`the pages have no ${selector}`);
    return found;
  }

  private end(pages: Page[] | undefined): void {
    this.place.remove();
    if (this.work) this.work.hidden = false;
    this.row.querySelector("input")?.focus();
    this.done(pages);
  }

  private say(text: string): void {
    this.find("[role=status]").textContent = text;
  }

  /** Accepts photos dropped here, and keeps the drop from the page's hidden rows. */
  private drops(): void {
    const mark = (over: boolean): void => void this.place.classList.toggle("is-over", over);
    this.place.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = "copy";
      mark(true);
    });
    this.place.addEventListener("dragleave", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !this.place.contains(relatedTarget)) mark(false);
    });
    this.place.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      mark(false);
      void this.more([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private async more(files: File[]): Promise<void> {
    for (const file of files) {
      const made = await pageOf(this.kind, file);
      this.place.querySelector(".document-error")?.remove();
      if ("todo" in made) {
        const wrong = element("div", "document-error", `${file.name}: ${made.message}. ${made.todo}`);
        wrong.setAttribute("role", "alert");
        return this.find(".document-file").before(wrong);
      }
      this.pages.push(made);
      this.draw();
      this.say(`${file.name} is page ${this.pages.length}`);
    }
  }

  /** Moves or removes a page, and focuses the next control. */
  private change(from: number, to: number | undefined): void {
    const [page] = this.pages.splice(from, 1);
    if (page && to !== undefined) this.pages.splice(to, 0, page);
    this.draw();
    this.say(to === undefined ? `${page?.name} is taken away` : `${page?.name} is page ${to + 1}`);
    const at = this.place.querySelectorAll<HTMLElement>(".crop-pages li")[to ?? Math.min(from, this.pages.length - 1)];
    at?.querySelector<HTMLElement>("button")?.focus();
  }

  private draw(): void {
    const { length } = this.pages;
    this.find("h1").textContent = length === 1 ? "One page" : `${length} pages`;
    this.find(".crop-pages").replaceChildren(...this.pages.map((page, i) => this.item(page, i)));
  }

  private item(page: Page, i: number): HTMLElement {
    const item = element("li", "document");
    const sheet = document.createElement("canvas");
    sheet.className = "document-sheet";
    void paint(sheet, page);
    const words = element("div", "document-text");
    const acts = element("p", "document-actions");
    const act = (text: string, to: number | undefined, possible: boolean): void => {
      if (!possible) return;
      const button = element("button", "button button-link", text);
      button.type = "button";
      button.append(element("span", "visually-hidden", ` page ${i + 1}`));
      button.addEventListener("click", () => this.change(i, to));
      acts.append(button);
    };
    const last = this.pages.length - 1;
    act("Earlier", i - 1, i > 0);
    act("Later", i + 1, i < last);
    act("Remove", undefined, last > 0);
    words.append(element("h2", "", `Page ${i + 1}`), element("p", "meta", page.name), acts);
    item.append(sheet, words);
    return item;
  }
}

async function paint(canvas: HTMLCanvasElement, { jpeg: file, width, height }: Page): Promise<void> {
  Object.assign(canvas, scaled(width, height, 176)); // twice the displayed size
  const picture = await createImageBitmap(file);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
}
