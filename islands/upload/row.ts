// Renders a document's row during its upload; otherwise the server does.
import { kilobytes, percent } from "./words.ts";

export type Look = "going" | "lost" | "checking";

export interface Shown {
  name: string;
  size: number;
  sent: number;
  look: Look;
  text: string;
  acts: { text: string; act: () => void }[];
}

const signs = {
  going: "M6 4.5h12M12 20V9.5M7.5 13.5L12 9l4.5 4.5",
  lost: "M4 12h5M15 12h5M10.5 8.5l-1 7M14.5 8.5l-1 7",
  checking: "M12 4.5a7.5 7.5 0 1 1-.01 0",
};

const svg = "http://www.w3.org/2000/svg";

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = "",
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Renders a row's state. Existing buttons stay and keep the focus. */
export function draw(row: HTMLElement, shown: Shown): void {
  const words = row.querySelector<HTMLElement>(".document-text");
  const file = row.querySelector<HTMLElement>(".document-file");
  if (!words || !file) return;
  row.classList.add("is-uploading");
  row.querySelector(".document-error")?.remove();
  const rule = words.querySelector(".meta");
  if (rule) rule.textContent = `${shown.name}, ${kilobytes(shown.size)} KB`;
  const look = `${shown.look} ${shown.acts.map(({ text }) => text)}`;
  if (row.dataset.drawn !== look) {
    row.dataset.drawn = look;
    const focused = row.contains(document.activeElement);
    for (const old of words.querySelectorAll(".document-percent, .document-state, .document-actions")) old.remove();
    const state = element("p", `document-state ${shown.look === "lost" ? "is-interrupted" : "is-waiting"}`);
    state.append(sign(shown.look), element("span", ""));
    const acts = element("p", "document-actions");
    for (const { text, act } of shown.acts) acts.append(button(row, text, act));
    if (shown.look !== "checking") words.append(element("p", "document-percent"));
    words.append(state, acts);
    file.hidden = true;
    if (focused) acts.querySelector("button")?.focus();
  }
  write(words, ".document-percent", `${percent(shown.sent, shown.size)}%`);
  write(words, ".document-state span", shown.text);
  edge(row, shown);
}

function write(place: HTMLElement, selector: string, text: string): void {
  const found = place.querySelector(selector);
  if (found && found.textContent !== text) found.textContent = text;
}

function button(row: HTMLElement, text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.className = "button button-link";
  made.type = "button";
  made.append(text, element("span", "visually-hidden", ` ${row.dataset.label}`));
  made.addEventListener("click", act);
  return made;
}

function sign(look: Look): SVGElement {
  const drawn = document.createElementNS(svg, "svg");
  drawn.setAttribute("viewBox", "0 0 24 24");
  drawn.setAttribute("aria-hidden", "true");
  drawn.classList.add("document-sign", `is-${look}`);
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", signs[look]);
  drawn.append(path);
  return drawn;
}

/** Draws the sheet's edge in proportion to the bytes received. */
function edge(row: HTMLElement, { sent, size, look }: Shown): void {
  const sheet = row.querySelector("svg.document-sheet");
  const outline = sheet?.querySelector(".outline");
  if (!sheet || !outline) return;
  sheet.classList.remove("is-wrong", "is-uploaded");
  sheet.classList.add("is-uploading");
  let run = sheet.querySelector(".upload-progress");
  if (!run) {
    run = document.createElementNS(svg, "path");
    run.setAttribute("d", outline.getAttribute("d") ?? "");
    run.setAttribute("pathLength", "100");
    sheet.append(run);
  }
  run.setAttribute("class", look === "lost" ? "upload-progress is-interrupted" : "upload-progress");
  run.setAttribute("stroke-dasharray", `${percent(sent, size)} 100`);
}

/** Shows why a file was rejected, by this device or by the server. */
export function refuse(row: HTMLElement, file: { name: string; size: number }, message: string, todo: string): void {
  row.querySelector(".document-error")?.remove();
  row.classList.remove("is-uploading");
  const kind = row.dataset.kind ?? "";
  const input = row.querySelector("input");
  const wrong = element("div", "document-error");
  wrong.id = `wrong-${kind}`;
  wrong.setAttribute("role", "alert");
  const said = document.createElement("p");
  said.append(element("b", "", message));
  wrong.append(said);
  if (todo) wrong.append(element("p", "", todo));
  row.querySelector(".document-file")?.before(wrong);
  input?.setAttribute("aria-invalid", "true");
  input?.setAttribute("aria-describedby", `rule-${kind} wrong-${kind}`);
  const there = row.querySelector(".document-sheet.is-uploaded, img.document-sheet");
  if (there) return;
  row.querySelector(".document-sheet")?.classList.add("is-wrong");
  const rule = row.querySelector(".meta");
  if (rule) rule.textContent = `${file.name}, ${kilobytes(file.size)} KB`;
}

/** Shows an unfinished upload, which resumes when the file is chosen again. */
export function unfinished(row: HTMLElement, text: string, forget: () => void): void {
  const words = row.querySelector(".document-text");
  if (!words) return;
  words.querySelector(".document-started")?.remove();
  for (const waiting of words.querySelectorAll(".document-state.is-waiting")) waiting.remove(); // the same without scripts
  const told = element("div", "document-started");
  const state = element("p", "document-state is-interrupted");
  state.append(sign("lost"), element("span", "", text));
  const acts = element("p", "document-actions");
  acts.append(button(row, "Delete this upload", forget));
  told.append(state, acts);
  words.append(told);
}
