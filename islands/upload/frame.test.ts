// @vitest-environment node
import { expect, test } from "vitest";
import { corners, first, moved, pulled, sized, widest } from "./frame.ts";

const photo = { width: 700, height: 900 };
const wide = { width: 2000, height: 450 };
const rounded = (part: object) =>
  Object.values(part)
    .map((value) => Math.round(value))
    .join(" ");

test.each([
  ["a photo of that shape", photo, 700],
  ["a wide one", wide, 350],
])("the part of %s is as wide as fits", (_, size, want) => expect(widest(size)).toBeCloseTo(want));

test("the initial crop is 35:45 and above the middle", () => {
  const part = first(photo);
  expect(part.width / part.height).toBeCloseTo(35 / 45);
  expect(rounded(part)).toBe("70 60 560 720");
});

test.each([
  ["right and down", 50, 60, "120 120 560 720"],
  ["no further than the picture", 500, 500, "140 180 560 720"],
  ["nor before its start", -500, -500, "0 0 560 720"],
])("it moves %s", (_, dx, dy, want) => expect(rounded(moved(photo, first(photo), dx, dy))).toBe(want));

test.each([
  ["smaller, around its middle", 280, "210 240 280 360"],
  ["never larger than the picture", 9000, "0 0 700 900"],
  ["never too small to tell who it is", 1, "280 330 140 180"],
])("it gets %s", (_, width, want) => expect(rounded(sized(photo, first(photo), width))).toBe(want));

test("dragging a corner keeps the opposite one", () => {
  const part = { x: 100, y: 100, width: 350, height: 450 };
  const pull = (dx: number) => corners.map((corner) => rounded(pulled(photo, part, corner, dx)));
  expect(pull(70)).toEqual(["170 190 280 360", "100 10 420 540", "170 100 280 360", "100 100 420 540"]);
  expect(pull(-70)).toEqual(["30 10 420 540", "100 190 280 360", "30 100 420 540", "100 100 280 360"]);
});

test("a corner does not leave the picture", () => {
  const part = { x: 100, y: 100, width: 350, height: 450 };
  for (const corner of corners)
    for (const dx of [-5000, 5000]) {
      const { x, y, width, height } = pulled(photo, part, corner, dx);
      expect([x >= -1e-6, y >= -1e-6, x + width <= 700 + 1e-6, y + height <= 900 + 1e-6, width > 0]).not.toContain(
        false,
      );
      expect(width / height).toBeCloseTo(35 / 45);
    }
});
