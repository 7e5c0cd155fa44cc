/** Reports whether a key types into an element. Boxes and buttons take no letters. */
export const types = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null;

/** Calls act for each key that is pressed alone, outside of fields. act reports whether it has used the key. */
export function onKey(act: (key: string, event: KeyboardEvent) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented, isComposing, target } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || isComposing || types(target)) return;
    if (act(key.length === 1 ? key.toLowerCase() : key, event)) event.preventDefault();
  });
}

const isDrawn = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/** How long after G a letter goes to an area, in milliseconds. */
const goWithin = 1500;

/** Answers the keys of every page: / finds, G and a letter go to an area, ? lists the keys. */
export function answerKeys(): void {
  let go = Number.NEGATIVE_INFINITY; // when G was pressed
  onKey((key, { timeStamp }) => {
    const since = timeStamp - go;
    go = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
    if (since <= goWithin) {
      const areas = [...document.querySelectorAll<HTMLElement>(".nav [data-key]")];
      const area = areas.find((link) => link.dataset.key === key);
      if (area) {
        area.click();
        return true;
      }
    }
    if (key === "/") {
      const field = [...document.querySelectorAll<HTMLInputElement>("#find, #q")].find(isDrawn);
      field?.focus();
      field?.select();
      return field !== undefined;
    }
    if (key !== "?") return false;
    document.querySelector<HTMLElement>("[data-keys]")?.click();
    return true;
  });
}

/** Closes open menus at Esc and at a press outside. */
export function closeMenus(): void {
  const open = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>("details.more[open]")];
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    for (const menu of open()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
}
