import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rememberSource, visitSource } from "./source";

const field = () => document.querySelector("input") as HTMLInputElement;

/** Opens a page of the site, possibly from a referring page. */
function open(address: string, referrer = ""): void {
  vi.stubGlobal("location", new URL(address, "https://www.hiresure.example"));
  vi.spyOn(document, "referrer", "get").mockReturnValue(referrer);
  document.body.innerHTML = '<form><input type="hidden" name="source" value=""></form>';
  rememberSource();
}

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

const page = "/scholarship/hiresure-mgrow-2025";

test.each([
  [
    "a campaign, and the site that led here",
    `${page}/exam?utm_source=Poster&utm_medium=print&gclid=x&couponCode=A`,
    "https://news.example/story?reader=asha",
    "utm_source=Poster&utm_medium=print&referrer=news.example&landing=hiresure-mgrow-2025",
  ],
  ["another site", page, "https://news.example:8443/", "referrer=news.example&landing=hiresure-mgrow-2025"],
  ["the current event", "/scholarship?utm_source=a", "", "utm_source=a"],
  ["home", "/hiresure?utm_source=a&utm_source=b", "", "utm_source=a"],
  ["our own page", page, "https://www.hiresure.example/hiresure", ""],
  ["nobody", page, "", ""],
  ["what has no host", page, "about:client", ""],
  ["a way back from paying", "/success?kspay_id=a&utm_source=a", "https://bank.example/", ""],
  ["a ticket", "/ticket/7Q2M9KXW4TBN8RVC3HJD5F", "https://mail.example/", ""],
])("the source of a visit: %s", (_, address, referrer, source) => {
  open(address, referrer);
  expect(visitSource()).toBe(source);
  expect(field().value).toBe(source);
  expect(sessionStorage).toHaveLength(source ? 1 : 0);
});

test("the first known source is kept, and a value from the server stays in its field", () => {
  open(page);
  open(`${page}?utm_source=first`);
  open(`/apply/hiresure-campus-2026?utm_source=second`, "https://news.example/");
  expect(field().value).toBe("utm_source=first&landing=hiresure-mgrow-2025");
  field().value = "utm_source=server";
  rememberSource();
  expect(field().value).toBe("utm_source=server");
});

test("a source longer than the server's limit is cut", () => {
  open(`${page}?utm_source=${"a".repeat(2000)}`);
  expect(visitSource()).toHaveLength(1000);
});
