// @vitest-environment node
import { expect, test } from "vitest";
import cases from "./testdata/headed.json";
import { begun, going, headed, headline, kilobytes, lost, percent, railed, timeLeft } from "./words.ts";

test.each([
  [0, 1, "1 uploading"],
  [0, 3, "3 uploading"],
  [1, 3, "1 uploaded, 3 uploading"],
  [2, 1, "2 uploaded, 1 uploading"],
  [0, 0, "1 stopped", 1],
  [1, 0, "2 stopped", 2],
  [0, 1, "1 uploading", 1],
])("%i in and %i under way: %s", (there, way, want, stopped = 0) => expect(headline(there, way, stopped)).toBe(want));

test.each([
  ["nothing has left yet", 0, 5000, 1000, ""],
  ["a moment says nothing of the rest", 500, 999, 1000, ""],
  ["nearly done", 1000, 1000, 100, "about 5 seconds left"],
  ["steps of five", 1000, 1000, 16_000, "about 20 seconds left"],
  ["a minute", 1000, 1000, 56_000, "about a minute left"],
  ["minutes", 1000, 1000, 61_000, "about 2 minutes left"],
])("what is left: %s", (_, sent, milliseconds, rest, want) => expect(timeLeft(sent, milliseconds, rest)).toBe(want));

test("received bytes are rounded down, and a file's size up", () => {
  expect(going(889 * 1024 + 1023, 1433 * 1024 + 1, "about 20 seconds left")).toBe(
    "889 of 1,434 KB, about 20 seconds left",
  );
  expect(going(0, 2048, "")).toBe("0 of 2 KB");
  expect(kilobytes(1)).toBe("1");
  expect(percent(1999, 2000)).toBe(99);
  expect(percent(2000, 2000)).toBe(100);
});

test("a lost connection shows the progress and the time of the next attempt", () => {
  expect(lost(700 * 1024, 1843 * 1024, 5)).toBe("Connection lost at 700 of 1,843 KB. Resuming in 5 s");
  expect(lost(700 * 1024, 1843 * 1024, 0)).toBe("Connection lost at 700 of 1,843 KB. Resuming now");
});

test("an upload of another tab is shown with its file's name", () =>
  expect(begun("marks.pdf", 1024, 4096)).toBe("marks.pdf: 1 of 4 KB uploaded. Choose the same file to resume"));

test.each(cases)("the headline counts required documents as the server does: %o", ({ title, lede, ...counted }) =>
  expect(headed(counted)).toEqual({ title, lede }),
);

test.each([
  [0, 0, ""],
  [2, 0, "2 to fix"],
  [0, 2, "2 missing"],
  [1, 2, "1 to fix, 2 missing"],
])("the header counts %i refused and %i missing", (refused, missing, words) =>
  expect(railed(refused, missing)).toBe(words),
);
