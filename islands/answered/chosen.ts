import { type Owner, saveTab } from "../application/tab.ts";

/** Where two tabs differed, what is chosen is what this tab has sent: over the version with which it was asked. */
export function keepChosen(form: HTMLFormElement): void {
  form.addEventListener("submit", () => {
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
    const { registration = "", seen } = values;
    const step = form.dataset.step as Owner["step"];
    saveTab({ registration, step }, { at: Date.now(), values, version: Number(seen), field: "", sent: true });
  });
}
