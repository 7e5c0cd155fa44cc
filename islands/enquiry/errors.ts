import type { Fault } from "../forms/check";

const scope = "enquiry-";

/** Shows or removes a field's error between hint and control, in the markup of components.Field. */
export function errorAt(form: HTMLFormElement, name: string, message: string): void {
  const field = form.querySelector<HTMLElement>(`[data-field="${name}"]`);
  if (!field) return;
  const id = `e-${scope}${name}`;
  let error = form.querySelector<HTMLElement>(`#${id}`);
  if (!message) error?.remove();
  else {
    if (!error) {
      error = document.createElement("p");
      error.className = "error";
      error.id = id;
      error.append(document.createElement("span"));
      field.querySelector(".control")?.before(error);
    }
    const words = error.firstElementChild;
    if (words && words.textContent !== message) words.replaceChildren(...wholeRanges(message));
  }
  const hint = form.querySelector(`#h-${scope}${name}`);
  const described = [message ? id : "", hint?.id ?? ""].filter(Boolean).join(" ");
  for (const input of field.querySelectorAll("input, select, textarea")) {
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (described) input.setAttribute("aria-describedby", described);
    else input.removeAttribute("aria-describedby");
  }
  follow(form, name, message);
}

/** Returns a text in which "6-9" and "e-mail" do not break across lines. */
const wholeRanges = (text: string): (Node | string)[] =>
  text
    .split(/((?:\d+[–-]\d+|\b[Ee]-mails?)[.,;:!?]?)/)
    .map((part, i) => {
      if (i % 2 === 0) return part;
      const whole = document.createElement("span");
      whole.className = "nowrap";
      whole.textContent = part;
      return whole;
    })
    .filter(Boolean);

const prefix = "Error: ";

/** Prefixes the page's title after a rejected form, as components.Page does. */
export function titleSays(isRefused: boolean): void {
  const plain = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title;
  document.title = isRefused ? prefix + plain : plain;
}

/** Copies a field's error to the summary, and removes the summary with the last error. */
function follow(form: HTMLFormElement, name: string, message: string): void {
  const box = form.querySelector(".error-summary");
  const link = box?.querySelector(`a[href="#f-${scope}${name}"]`);
  if (!box || !link) return;
  if (!message) link.closest("li")?.remove();
  else if (link.textContent !== message) link.textContent = message;
  count(box);
  if (box.querySelector("li")) return;
  box.remove();
  titleSays(false);
}

/** Updates the summary's count of fields; a single one has no count. */
function count(box: Element): void {
  const faults = box.querySelectorAll("li").length;
  const said = box.querySelector("p");
  const words = `Please check these ${faults}:`;
  if (faults < 2) said?.remove();
  else if (said && said.textContent !== words) said.textContent = words;
  if (faults < 2) box.removeAttribute("aria-describedby");
  else box.setAttribute("aria-describedby", `${scope}problems`);
}

/** Shows a summary of all errors like components.ErrorSummary, focuses it, and reports whether there are any. */
export function summary(form: HTMLFormElement, faults: Fault[]): boolean {
  form.querySelector(".error-summary")?.remove();
  titleSays(faults.length > 0);
  if (faults.length === 0) return false;
  const box = document.createElement("div");
  box.className = "error-summary";
  box.setAttribute("role", "group");
  box.setAttribute("aria-labelledby", `${scope}problem`);
  box.tabIndex = -1;
  const title = document.createElement("h2");
  title.id = `${scope}problem`;
  title.textContent = "There is a problem";
  const list = document.createElement("ul");
  for (const { field, message } of faults) {
    const link = document.createElement("a");
    link.href = `#f-${scope}${field}`;
    link.textContent = message;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      form.querySelector<HTMLElement>(`#f-${scope}${field}`)?.focus();
    });
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  const lead = document.createElement("p");
  lead.id = `${scope}problems`;
  box.append(title, lead, list);
  count(box);
  form.querySelector(".fields")?.before(box);
  box.focus();
  return true;
}
