// The states in which templ and React must render the same: Go writes testdata, each state's view and its HTML.
import { readdirSync, readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical, parse } from "../forms/markup.ts";
import { mount } from "./main.tsx";
import { Ticket } from "./Ticket.tsx";
import type { View } from "./view.ts";

vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

const folder = `${import.meta.dirname}/testdata`;
const states = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.replace(".json", ""));
const read = (file: string) => readFileSync(`${folder}/${file}`, "utf8").trimEnd();
const viewOf = (state: string): View => JSON.parse(read(`${state}.json`));

test("there are at least ten states", () => expect(states.length).toBeGreaterThanOrEqual(10));

describe.each(states)("%s", (state) => {
  let root: Root | undefined;
  afterEach(() => {
    act(() => root?.unmount());
    document.body.replaceChildren();
    sessionStorage.clear();
    vi.restoreAllMocks();
  });

  const slots = (server: HTMLElement) => ({
    head: server.querySelector('[data-slot="head"]')?.innerHTML ?? "",
    help: server.querySelector('[data-slot="help"]')?.innerHTML ?? "",
    call: server.querySelector('[data-slot="call"]')?.innerHTML ?? "",
  });

  test("React writes what templ writes", () => {
    const server = parse(read(`${state}.html`));
    const client = parse(renderToString(<Ticket view={viewOf(state)} slots={slots(server)} />));
    expect(canonical(client)).toEqual(canonical(server));
  });

  test("the island hydrates the form without warnings and loses no input", () => {
    const complaints = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
    const server = parse(read(`${state}.html`));
    document.body.append(server);
    const name = server.querySelector<HTMLInputElement>("#f-fullname");
    const course = server.querySelector<HTMLSelectElement>("#f-selected_course");
    const adult = server.querySelector<HTMLInputElement>("#f-adult");
    const folded = Array.from(server.querySelectorAll("details"));
    if (!name || !course || !adult || !folded.length) throw new Error("the form lacks a field");
    name.value = "Typed early";
    name.focus();
    name.setSelectionRange(3, 5);
    course.value = "Blockchain";
    adult.checked = true;
    for (const more of folded) more.open = true;

    act(() => {
      root = mount(server, viewOf(state));
    });

    for (const complaint of complaints) expect(complaint).not.toHaveBeenCalled();
    expect(server.querySelector("#f-fullname")).toBe(name);
    expect([name.value, course.value, adult.checked]).toEqual(["Typed early", "Blockchain", true]);
    expect(folded.filter((more) => !more.open || !server.contains(more))).toEqual([]);
    expect(document.activeElement).toBe(name);
    expect([name.selectionStart, name.selectionEnd]).toEqual([3, 5]);
  });
});
