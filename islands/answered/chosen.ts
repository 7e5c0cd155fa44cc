import { saveTabAs } from "../application/tab.ts";

/** Where two tabs differed, what is chosen is what this tab has sent: over the version with which it was asked. */
export function keepChosen(form: HTMLFormElement): void {
  form.addEventListener("submit", () => {
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
    const name = form.dataset.keptBy ?? "";
    saveTabAs(name, { at: Date.now(), values, version: Number(values.seen), field: "", sent: true });
  });
}
