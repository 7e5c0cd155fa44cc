import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { answerKeys, closeMenus, types } from "./keys";
import search, { withoutEmpty } from "./search";
import { selectRows } from "./selection";

vi.mock("htmx.org", () => ({ default: { config: {} } }));

const find = <Kind extends Element = HTMLElement>(selector: string) => document.querySelector(selector) as Kind;
const box = (n: number) => find<HTMLInputElement>(`[value=r${n}]`);
const press = (
  key: string,
  target: Element = document.activeElement ?? document.body,
  more: KeyboardEventInit = {},
) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event.defaultPrevented;
};
const clicked = vi.fn((event: Event) => event.preventDefault());
const clicks = () =>
  clicked.mock.calls.map(([event]) => (event.target instanceof Element ? event.target.textContent : ""));
const said = vi.fn();

const row = (n: number) =>
  `<tr><td class="c-box"><input class="box" type="checkbox" name="id" value="r${n}"></td><td><a class="name" href="/r${n}">R${n}</a></td></tr>`;
const list = (...numbers: number[]) =>
  `<div id="list"><form class="rows"><table><thead><tr><th class="c-box"><input class="box" type="checkbox" id="all"></th></tr></thead><tbody>${numbers.map(row).join("")}</tbody></table></form></div>`;

function draw() {
  document.body.innerHTML = `<nav class="nav"><a href="/money" data-key="m">Money</a></nav><input id="find"><a href="/keys" data-keys>Keys</a>
    <details class="more" open><summary>Menu</summary></details>
    <div id="list-head"><p id="list-text">4 registrations.</p><div class="tabs"><small>4</small></div></div>
    <form action="/admin/registrations" data-hx-get="/admin/registrations" data-hx-trigger="input from:#q delay:200ms" data-hx-sync="this:replace" data-hx-target="#list" data-hx-swap="outerHTML">
      <input id="q" name="q"><input type="hidden" name="event" value=""></form><a href="/filters" id="list-filters">Filters</a>
    ${list(0, 1, 2, 3)}
    <template id="list-waits"><div>waiting</div></template><template id="list-failed"><div><a data-again>Try again</a></div></template>`;
  for (const link of document.querySelectorAll("a")) link.addEventListener("click", clicked);
  find("#find").getClientRects = () => [{}] as unknown as DOMRectList; // jsdom draws nothing
}

beforeAll(() => {
  answerKeys();
  closeMenus();
  selectRows(said);
});
beforeEach(() => {
  vi.clearAllMocks();
  draw();
});
afterEach(() => vi.useRealTimers());

test("keys are off while a field has the focus, and not on a box", () => {
  expect(types(find("#q"))).toBe(true);
  expect(types(box(0))).toBe(false);
  find("#q").focus();
  expect(press("/")).toBe(false);
  expect(press("?")).toBe(false);
  expect(press("/", document.body, { ctrlKey: true })).toBe(false);
  expect(clicked).not.toHaveBeenCalled();
});

test("/ finds, ? lists the keys, and G with a letter goes to an area", () => {
  expect(press("/")).toBe(true);
  expect(document.activeElement).toBe(find("#find"));
  find("#find").blur();
  press("?");
  press("m"); // without G
  press("g");
  press("x"); // no area
  press("m");
  expect(clicks()).toEqual(["Keys"]);
  press("g");
  expect(press("M")).toBe(true);
  expect(clicks()).toEqual(["Keys", "Money"]);
});

test("Esc and a press outside close a menu", () => {
  press("Escape");
  expect(find<HTMLDetailsElement>("details").open).toBe(false);
  expect(document.activeElement).toBe(find("summary"));
  find<HTMLDetailsElement>("details").open = true;
  find("summary").dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(find<HTMLDetailsElement>("details").open).toBe(true);
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(find<HTMLDetailsElement>("details").open).toBe(false);
});

test("J and K move through the rows, X and Space select, Enter opens", () => {
  press("j");
  expect(document.activeElement?.textContent).toBe("R0");
  press("x");
  press("j");
  expect(press(" ")).toBe(true);
  press("k");
  expect(document.activeElement?.textContent).toBe("R0");
  press("k");
  expect(document.activeElement?.textContent).toBe("R0");
  expect([0, 1, 2, 3].map((n) => box(n).checked)).toEqual([true, true, false, false]);
  expect(press("Enter")).toBe(false); // the link answers it
  box(2).focus();
  expect(press(" ")).toBe(false); // the box answers it
  expect(press("Enter")).toBe(true);
  expect(clicks()).toEqual(["R2"]);
});

test("F shows the filters, or goes to the first that is shown", () => {
  press("f");
  expect(clicks()).toEqual(["Filters"]);
  document.body.insertAdjacentHTML("beforeend", '<form class="panel"><select></select></form>');
  press("f");
  expect(document.activeElement).toBe(find(".panel select"));
});

test("the box above selects the page, Shift a run, and the number is announced once", () => {
  vi.useFakeTimers();
  const all = find<HTMLInputElement>("#all");
  box(1).click();
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  box(3).dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }));
  expect([0, 1, 2, 3].map((n) => box(n).checked)).toEqual([false, true, true, true]);
  box(0).click();
  expect([all.checked, all.indeterminate]).toEqual([true, false]);
  vi.runAllTimers();
  expect(said).toHaveBeenCalledExactlyOnceWith("4 selected on this page");
  all.click();
  expect([0, 1, 2, 3].some((n) => box(n).checked)).toBe(false);
});

test("an address loses its empty parameters", () => {
  expect(withoutEmpty("/admin/registrations?q=a+b&event=&rows=25")).toBe("/admin/registrations?q=a+b&rows=25");
  expect(withoutEmpty("/admin/registrations?q=+")).toBe("/admin/registrations");
});

/** Tells the search what htmx does. */
const tell = (name: string, detail: unknown = {}) =>
  find("form").dispatchEvent(new CustomEvent(`htmx:${name}`, { detail, bubbles: true, cancelable: true }));
const asked = { ctx: { request: { action: "/admin/registrations?q=asha&event=" } } };
const answer = (status: number, text: string) => ({ ctx: { response: { status }, text } });

test("a slow answer is drawn after a while, and the number said once typing rests", () => {
  vi.useFakeTimers();
  search(find<HTMLFormElement>("form"), said);
  find<HTMLInputElement>("#q").value = "asha";
  tell("before:request", asked);
  vi.advanceTimersByTime(299);
  expect(find("#list").textContent).not.toBe("waiting");
  vi.advanceTimersByTime(1);
  expect(find("#list").textContent).toBe("waiting");
  expect(find("#list-text").textContent).toBe("Looking for “asha”.");
  expect(tell("after:request", answer(200, '<div id="list">'))).toBe(true);
  expect(location.pathname + location.search).toBe("/admin/registrations?q=asha");
  find("#list-text").textContent = "2 registrations match.";
  tell("after:swap");
  vi.advanceTimersByTime(500);
  find("#q").dispatchEvent(new Event("input", { bubbles: true })); // types on
  vi.advanceTimersByTime(500);
  expect(said.mock.calls).toEqual([["Looking"]]);
  tell("after:swap");
  vi.advanceTimersByTime(700);
  expect(said).toHaveBeenLastCalledWith("2 registrations match.");
});

test.each([
  ["no answer", () => tell("error")],
  ["a fault of the site", () => expect(tell("after:request", answer(503, "<!DOCTYPE html>"))).toBe(false)],
])("%s keeps search and filters, and can be tried again", (_, fail) => {
  search(find<HTMLFormElement>("form"), said);
  find<HTMLInputElement>("#q").value = "asha";
  tell("before:request", asked);
  fail();
  expect(find("#list-text").textContent).toBe("Could not load “asha”.");
  expect(find("[data-again]").getAttribute("href")).toBe("/admin/registrations?q=asha");
  expect(find("small").hidden).toBe(true);
  expect(find<HTMLInputElement>("#q").value).toBe("asha");
});
