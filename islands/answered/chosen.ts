import { removeTabAs, saveTabAs } from "../application/tab.ts";

/** After a conflict of two tabs, stores the chosen answers as this tab's values, at the version shown. */
export function keepChosen(form: HTMLFormElement): void {
  form.addEventListener("submit", () => {
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
    const name = form.dataset.keptBy ?? "";
    saveTabAs(name, { at: Date.now(), values, version: Number(values.seen), field: "", sent: true });
  });
}

/** Deletes this tab's values when the draft is discarded. */
export function dropDiscarded(form: HTMLFormElement): void {
  form.addEventListener("submit", () => removeTabAs(form.dataset.drops ?? ""));
}
