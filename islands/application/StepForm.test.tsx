// The states in which templ and React must render the same: Go writes testdata, each state's view and its HTML.
import { readdirSync, readFileSync } from "node:fs";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical, parse } from "../forms/markup.ts";
import { parse as read } from "../runtime/schema.ts";
import { mount } from "./main.tsx";
import { viewSchema } from "./view.ts";

vi.setConfig({ testTimeout: 30_000 }); // the machine may be busy with other tests

const folder = `${import.meta.dirname}/testdata`;
const states = readdirSync(folder).flatMap((file) => (file.endsWith(".json") ? [file.replace(".json", "")] : []));
const written = (file: string) => readFileSync(`${folder}/${file}`, "utf8").trimEnd();

test("there are at least six states", () => expect(states.length).toBeGreaterThanOrEqual(6));

describe.each(states)("%s", (state) => {
  let root: Root | undefined;
  afterEach(() => {
    act(() => root?.unmount());
    document.body.replaceChildren();
    sessionStorage.clear();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test("hydrates unchanged, except for a date's calendar", () => {
    vi.useFakeTimers();
    const complained = vi.spyOn(console, "error");
    const place = parse(written(`${state}.html`));
    document.body.append(place);
    const before = canonical(place.children[0] ?? place);
    const view = read(viewSchema, JSON.parse(written(`${state}.json`)));
    if (!view) throw new Error("the payload is not of the schema's shape");
    act(() => {
      root = mount(place, view, vi.fn());
    });
    for (const calendar of place.querySelectorAll(".calendar")) calendar.remove();
    expect(canonical(place.children[0] ?? place)).toEqual(before);
    expect(complained).not.toHaveBeenCalled();
  });
});
