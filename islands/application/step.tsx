// A step of the application with scripts: checks and saves input while the visitor types, and calls the JSON API instead of
// posting the form.
import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { Values } from "../forms/check.ts";
import { tidyDate } from "../forms/date.ts";
import type { Special } from "../forms/Groups.tsx";
import { usePart } from "../forms/island.ts";
import { useFocus } from "../forms/useFocus.ts";
import { type Use, useHandlers } from "../forms/useHandlers.ts";
import { Calendar, dayBefore } from "./Calendar.tsx";
import { answersOf, otherAccount, readDraft } from "./calls.ts";
import { type Island, islandOf } from "./island.ts";
import { outsideOf } from "./outside.ts";
import { loadTab, removeTab, type Stored } from "./tab.ts";
import { differing, fieldsHeld, fieldsHere, form, heldOf, type Payload, type View } from "./view.ts";

export interface Step {
  view: View;
  summary: RefObject<HTMLDivElement | null>;
  special: Record<string, Special>;
  handlers: ComponentProps<"form">;
}

/** @param go leaves the page */
export function useStep(start: Payload, go: (address: string) => void): Step {
  const [island] = useState(() => islandOf(start, go));
  const [on] = useState(() => handlersOf(island));
  const view = usePart(island, ({ view }) => view);
  const summary = useFocus(island);
  useStart(island, start);
  useOutside(island);
  usePage(island);
  const [taken, setTaken] = useState(false); // the calendar needs scripts, so the server renders none
  useEffect(() => setTaken(true), []);
  const special: Record<string, Special> = {};
  for (const { name, kind } of form.fields)
    if (taken && kind === "date") {
      const chosen = () => changed(island, name);
      special[name] = {
        change: {
          calendar: <Calendar fields={island.fields} name={name} last={dayBefore(view.today)} onChoose={chosen} />,
        },
      };
    }
  return { view, summary, special, handlers: { ...useHandlers(on), onPaste: (event) => paste(island, event) } };
}

function changed(island: Island, name: string): void {
  island.dispatch({ type: "edited", name });
  island.saver.typed(name);
}

const handlersOf = (island: Island): Use => ({
  fields: island.fields,
  edit: ({ name }) => {
    if (name) changed(island, name);
  },
  leave: ({ name }, judge, to) => {
    if (name && !isInside(name, to)) island.dispatch({ type: "left", name, judge });
  },
  judge: () => island.dispatch({ type: "judged" }),
  submit: (button) => island.submit(button || "next"),
});

/** Reports whether the focus stays within the same field, such as from day to month. */
const isInside = (name: string, to: EventTarget | null): boolean =>
  to instanceof HTMLInputElement && to.type === "text" && to.name === name;

/** Fills day, month and year if a whole date is pasted into one of them. */
function paste(
  island: Island,
  event: { target: EventTarget; clipboardData: DataTransfer; preventDefault(): void },
): void {
  const { target } = event;
  if (
    !(target instanceof HTMLInputElement) ||
    !form.fields.some(({ name, kind }) => name === target.name && kind === "date")
  )
    return;
  const date = tidyDate(event.clipboardData.getData("text"));
  if (!/^[0-9]{2}-[0-9]{2}-[0-9]{4}$/.test(date)) return;
  event.preventDefault();
  island.fields.write(target.name, date);
  changed(island, target.name);
}

/** Starts with the form's values; restores and sends this tab's unsaved input. */
function useStart(island: Island, start: Payload): void {
  // Runs during hydration, so that no key is lost in between.
  useLayoutEffect(() => {
    const { fields, saver } = island;
    const { view } = island.state();
    const early = differing(view, heldOf(view, fields.values()), written(view)); // typed before this loaded
    fields.tidy();
    island.dispatch({ type: "started", faults: start.faults });
    const found = loadTab(view, Date.now());
    const stored = found && !isTaken(view, found) ? found : undefined;
    if (!stored) removeTab(view);
    if (stored)
      for (const name of fieldsHeld(view)) if (!early.includes(name)) fields.write(name, stored.values[name] ?? "");
    // After Back the browser may restore input that was typed over an older version of the draft.
    const over = stored ?? (early.length > 0 && found?.sent ? found : view);
    island.dispatch({ type: "restored", version: over.version });
    if (island.state().view.kept.phase !== "saved") saver.typed(stored?.field ?? early.at(-1) ?? "");
    return saver.stop;
  }, [island, start]);
}

/**
 * Reports whether the server has this tab's input. The response to a draft may have been lost, and a sent page may have been
 * rejected because another tab saved first. A guardian's fields don't count: a page of its own asks for them.
 */
function isTaken(view: View, { values, sent }: Stored): boolean {
  const open = differing(view, values, view.values);
  return (sent ? open.filter((name) => fieldsHere(view).includes(name)) : open).length === 0;
}

/** Returns the values that the server rendered. */
const written = (view: View): Values => heldOf(view, view.values);

/** Updates the page around the form. */
function useOutside(island: Island): void {
  useEffect(() => {
    const outside = outsideOf(document);
    const show = () => outside.show(island.state().view);
    show();
    return island.subscribe(show);
  }, [island]);
}

/** Handles the page's return from the back/forward cache, and from offline. */
function usePage(island: Island): void {
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh(island);
    };
    const online = () => island.saver.retry();
    const offline = () => {
      if (island.state().view.kept.phase === "waits") island.dispatch({ type: "unsent" });
    };
    const { flush } = island.saver;
    addEventListener("pagehide", flush);
    addEventListener("pageshow", back);
    addEventListener("online", online);
    addEventListener("offline", offline);
    return () => {
      removeEventListener("pagehide", flush);
      removeEventListener("pageshow", back);
      removeEventListener("online", online);
      removeEventListener("offline", offline);
    };
  }, [island]);
}

/** Loads what was saved since the page went into the back/forward cache. */
async function refresh(island: Island): Promise<void> {
  island.dispatch({ type: "returned" });
  const answer = await readDraft(island.state().view);
  if (answer.status === 404) island.dispatch({ type: "stopped", kind: "other account", text: otherAccount });
  if (!answer.ok) return;
  const { version, saved_at } = answer.body.draft;
  const values = answersOf(answer.body.draft);
  const { view } = island.state();
  const typed = heldOf(view, island.fields.values());
  const isOpen = Boolean(loadTab(view, Date.now())) || differing(view, view.kept.values, typed).length > 0;
  if (isOpen && differing(view, values, typed).length > 0) {
    island.dispatch({ type: "kept", version: view.version, at: view.kept.at, values });
    return island.saver.typed(""); // the server compares versions
  }
  if (!isOpen) for (const name of fieldsHeld(view)) island.fields.write(name, values[name] ?? "");
  island.dispatch({ type: "restored", version });
  island.dispatch({ type: "kept", version, at: Date.parse(saved_at) || 0, values });
  island.saver.typed("");
}
