import { onKey } from "./keys";

/** How long a box must rest before a screen reader hears how many are selected, in milliseconds. */
const rest = 500;

const rows = (): HTMLTableRowElement[] => [...document.querySelectorAll<HTMLTableRowElement>(".rows tbody tr")];
const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>(".rows tbody .box:enabled")];
const headBox = (): HTMLInputElement | null => document.querySelector(".rows thead .box");

const rowOf = (target: EventTarget | null): HTMLTableRowElement | null =>
  target instanceof Element ? target.closest<HTMLTableRowElement>(".rows tbody tr") : null;
const nameOf = (row: HTMLTableRowElement | null | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>(".name") ?? null;

/** Selects rows of the list: all of the page, a run with Shift, and by keys. say announces how many are selected. */
export function selectRows(say: (text: string) => void): void {
  let last: HTMLInputElement | undefined; // the box that was pressed last
  let resting: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    const all = boxes();
    const selected = all.filter((box) => box.checked).length;
    const head = headBox();
    if (head) {
      head.checked = selected > 0 && selected === all.length;
      head.indeterminate = selected > 0 && selected < all.length;
    }
    clearTimeout(resting);
    resting = setTimeout(() => say(`${selected} selected on this page`), rest);
  };
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest(".rows .c-box")) return;
    if (target === headBox()) for (const box of boxes()) box.checked = target.checked;
    changed();
  });
  document.addEventListener("click", ({ target, shiftKey }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest(".rows tbody .c-box")) return;
    const all = boxes();
    const [from, to] = [last ? all.indexOf(last) : -1, all.indexOf(target)].sort((a, b) => a - b);
    if (shiftKey && from !== undefined && from >= 0 && to !== undefined)
      for (const box of all.slice(from, to + 1)) box.checked = target.checked;
    last = target;
  });
  onKey((key, { target }) => {
    const all = rows();
    const row = rowOf(target);
    const at = row ? all.indexOf(row) : -1;
    const box = row?.querySelector<HTMLInputElement>(".box");
    switch (key) {
      case "j":
      case "k": {
        const name = nameOf(key === "j" ? all[at + 1] : all[Math.max(at - 1, 0)]);
        name?.focus();
        return name !== null;
      }
      case "Enter":
        if (target !== box) return false; // links and buttons answer it
        nameOf(row)?.click();
        return true;
      case " ":
        if (target !== nameOf(row) || !box) return false;
        box.click();
        return true;
      case "x":
        box?.click();
        return box !== undefined && box !== null;
      case "f": {
        const field = document.querySelector<HTMLElement>(".panel select");
        if (field) field.focus();
        else document.getElementById("list-filters")?.click();
        return true;
      }
    }
    return false;
  });
}
