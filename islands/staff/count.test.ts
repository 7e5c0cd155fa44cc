import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { count } from "./count";

let answers: (string | Promise<string>)[];
const text = (id: string) => document.getElementById(id)?.textContent;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<form action="http://localhost/admin/print" data-count="counted again">
    <input type="checkbox" name="kind" value="invoice" checked><input type="checkbox" name="kind" value="receipt"><small id="again">1 of these 3</small></form>
    <aside id="counted"><h2>3 invoices</h2></aside>`;
  answers = [];
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(await answers.shift())),
  );
  count(document.querySelector("form") as HTMLFormElement);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const change = (value: string) => (document.querySelector(`[value=${value}]`) as HTMLInputElement).click();

test("a change is counted once, after a pause", async () => {
  answers = ['<aside id="counted"><h2>5 documents</h2></aside><small id="again">2 of these 5</small>'];
  change("receipt");
  await vi.advanceTimersByTimeAsync(200);
  change("receipt");
  change("receipt");
  await vi.advanceTimersByTimeAsync(299);
  expect(fetch).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledExactlyOnceWith("http://localhost/admin/print?kind=invoice&kind=receipt");
  expect([text("counted"), text("again")]).toEqual(["5 documents", "2 of these 5"]);
});

test("a late answer to an earlier change is ignored", async () => {
  let late: (page: string) => void = () => {};
  answers = [new Promise((resolve) => (late = resolve)), '<aside id="counted">now</aside>'];
  change("receipt");
  await vi.advanceTimersByTimeAsync(300);
  change("invoice");
  await vi.advanceTimersByTimeAsync(300);
  late('<aside id="counted">before</aside>');
  await vi.advanceTimersByTimeAsync(300);
  expect([text("counted"), text("again")]).toEqual(["now", "1 of these 3"]);
});

test("without an answer the page stays", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new Error("offline")));
  change("receipt");
  await vi.advanceTimersByTimeAsync(300);
  expect(text("counted")).toBe("3 invoices");
});
