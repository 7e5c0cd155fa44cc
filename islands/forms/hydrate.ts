// Takes a form over from the server: the one place where an island becomes React's.
//
// A translator moves text into elements of its own, also later. React finds a text that is its element's only child again,
// and no other: where text stands beside elements and changes, its element has the text as its key, and is replaced.
import { createElement, Fragment, type ReactNode, useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";

/**
 * Hydrates what the server wrote in place, in one task: no key and no press falls between. Values, selections and the
 * focus stay as the visitor left them. A translator wraps text in font elements, which React cannot hydrate: such a form
 * is rendered anew.
 * @param island renders exactly what the server wrote
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

/** A form that differs from what React renders is rendered anew: that is a fault of ours. */
const report = (error: unknown): void => console.error(error);

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement;

const controlsIn = (place: HTMLElement): Control[] =>
  Array.from(place.querySelectorAll<Control>("input:not([type=hidden]), select, textarea, button"));

/** Returns a function that puts values, selections and focus back, for React writes the server's over some of them. */
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
