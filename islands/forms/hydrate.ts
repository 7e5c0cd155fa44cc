// Hydrates islands.
//
// A translator may wrap text in new elements at any time. React can still update a text that is its element's only child, and
// no other. Changing text next to elements is therefore in an element with the text as its key, which React replaces.
import { createElement, Fragment, type ReactNode, useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";

/**
 * Hydrates the server's HTML in one task, so that no key or press is lost. Values, selections and the focus stay. React cannot
 * hydrate a translator's font elements: such a form is rendered anew.
 * @param island renders exactly the server's HTML
 */
export function hydrate(place: HTMLElement, island: ReactNode): Root {
  const restore = keepControls(place);
  const tree = createElement(Fragment, null, createElement(Restored, { restore }), island);
  const options = { onRecoverableError: report };
  const root = flushSync(() => {
    if (!place.querySelector("font")) return hydrateRoot(place, tree, options);
    place.replaceChildren();
    const anew = createRoot(place, options);
    anew.render(tree);
    return anew;
  });
  place.dataset.live = ""; // journeys wait for it
  return root;
}

/** Restores the controls before the island's own effects read them: a first sibling's effects run first. */
function Restored({ restore }: { restore: () => void }) {
  useLayoutEffect(restore, [restore]);
  return null;
}

/** Reports that the server's HTML differs from React's, a fault of ours. React renders the form anew. */
const report = (error: unknown): void => console.error(error);

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement;

const controlsIn = (place: HTMLElement): Control[] =>
  Array.from(place.querySelectorAll<Control>("input:not([type=hidden]), select, textarea, button"));

/** Returns a function that restores values, selections and focus, because React overwrites some values with the server's. */
function keepControls(place: HTMLElement): () => void {
  const kept = controlsIn(place).map((control) => ({
    name: control.name,
    state: stateOf(control),
    hasFocus: control === document.activeElement,
  }));
  return () => {
    for (const [i, control] of controlsIn(place).entries()) {
      const before = kept[i];
      if (before?.name === control.name) putBack(control, before.state, before.hasFocus);
    }
  };
}

interface ControlState {
  value: string;
  checked: boolean;
  selection: [start: number, end: number, direction: "forward" | "backward" | "none"] | undefined;
}

function stateOf(control: Control): ControlState {
  const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
  const { selectionStart, selectionEnd, selectionDirection } = isText ? control : document.createElement("input");
  const hasSelection = isText && selectionStart !== null && selectionEnd !== null; // an e-mail field has none
  return {
    value: control.value,
    checked: control instanceof HTMLInputElement && control.checked,
    selection: hasSelection ? [selectionStart, selectionEnd, selectionDirection ?? "none"] : undefined,
  };
}

function putBack(control: Control, { value, checked, selection }: ControlState, hasFocus: boolean): void {
  const now = stateOf(control);
  if (now.value !== value) control.value = value;
  if (control instanceof HTMLInputElement && now.checked !== checked) control.checked = checked;
  if (!hasFocus) return;
  if (control !== document.activeElement) control.focus({ preventScroll: true });
  if (selection && "setSelectionRange" in control && String(stateOf(control).selection) !== String(selection))
    control.setSelectionRange(...selection);
}
