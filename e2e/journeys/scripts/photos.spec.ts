// Photos are cropped, turned and shrunk on the device before upload.
import type { Page } from "@playwright/test";
import { pdf, picture, row } from "../../document-states.ts";
import { grainyPhoto, largePhoto, seen } from "../../photos.ts";
import { expect, test } from "../../test.ts";
import { label, opens } from "../../uploads.ts";

const address = async (page: Page, kind: string) =>
  (await row(page, kind).getByRole("link", { name: "Open" }).getAttribute("href")) ?? "";

/** Collects each upload's announced length. */
function lengths(page: Page): number[] {
  const all: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") all.push(Number(request.headers()["upload-length"]));
  });
  return all;
}

test("a photo of 12 megapixels arrives upright and small", async ({ page, person }) => {
  await opens(page, person);
  const sizes = lengths(page);
  const photo = await largePhoto(page, "IMG_2041.jpg");
  expect(photo.buffer.length).toBeGreaterThan(2_097_152);
  await expect(page.locator("form.is-live")).toBeVisible();
  await page.getByLabel("Student ID").setInputFiles(photo);
  await expect(row(page, "Student ID")).toContainText("Uploaded");
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeGreaterThan(0);
  expect(sizes[0]).toBeLessThanOrEqual(2_097_152);
  const corners = "red green blue white";
  expect(await seen(page, await address(page, "Student ID"))).toEqual({ width: 1200, height: 1600, corners });
});

test("a photo is cropped with a pointer", async ({ page, person }) => {
  await opens(page, person);
  const photo = await largePhoto(page, "me.jpg");
  await expect(page.locator("form.is-live")).toBeVisible();
  await page.getByLabel("Passport photo").setInputFiles(photo);
  const frame = page.getByRole("img", { name: /^Frame: / });
  await expect(frame).toHaveAttribute(
    "aria-label",
    "Frame: 10 per cent from the left, 8 per cent from the top, 80 per cent wide",
  );
  const drag = async (dx: number, dy: number) => {
    const box = (await held.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
  };
  let held = page.getByLabel("Corner, bottom right");
  const width = (await frame.boundingBox())?.width ?? 0;
  await held.hover(); // also scrolls it into view
  await drag(-width / 2, 0);
  await expect(frame).toHaveAttribute(
    "aria-label",
    /Frame: 10 per cent from the left, 8 per cent from the top, (39|40|41) per cent wide/,
  );
  held = frame;
  await held.hover();
  await drag(-300, -400); // to the picture's corner
  await expect(frame).toHaveAttribute("aria-label", /Frame: 0 per cent from the left, 0 per cent from the top/);
  await page.getByRole("button", { name: "Use this photo" }).click();
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
  const kept = await seen(page, await address(page, "Passport photo"));
  expect(kept.height / kept.width).toBeCloseTo(45 / 35, 1);
  expect(kept.width).toBeGreaterThan(1100); // cropped from 3000 pixels, not from the smaller preview
  expect(kept.corners).toBe("red grey grey grey");
});

test("a photo is cropped and turned by keyboard @long", async ({ page, person }) => {
  await opens(page, person);
  const photo = await largePhoto(page, "me.jpg");
  await expect(page.locator("form.is-live")).toBeVisible();
  await page.getByLabel("Passport photo").setInputFiles(photo);
  const frame = page.getByRole("img", { name: /^Frame: / });
  await frame.press("r"); // the lower left corner is now the upper left
  await expect(frame).toHaveAttribute("aria-label", /, 47 per cent wide$/);
  for (let i = 0; i < 8; i++) await frame.press("Shift+ArrowLeft");
  for (let i = 0; i < 8; i++) await frame.press("Shift+ArrowUp");
  await expect(frame).toHaveAttribute("aria-label", /Frame: 0 per cent from the left, 0 per cent from the top/);
  await page.getByRole("button", { name: "Use this photo" }).click();
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
  expect((await seen(page, await address(page, "Passport photo"))).corners).toMatch(/^blue grey/);
});

test("a file dropped on a row is sent; one dropped elsewhere is not opened", async ({ page, person }) => {
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  const { buffer, name } = pdf("dropped.pdf", 20);
  const files = await page.evaluateHandle(
    ([base64 = "", name = ""]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: "application/pdf" }));
      return transfer;
    },
    [buffer.toString("base64"), name],
  );
  const over = row(page, label);
  await page.locator("h1").dispatchEvent("dragover", { dataTransfer: files });
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: files });
  await expect(page.locator("li.is-over, li.is-uploading")).toHaveCount(0);
  await over.dispatchEvent("dragover", { dataTransfer: files });
  await expect(over).toHaveClass(/is-over/);
  await over.dispatchEvent("drop", { dataTransfer: files });
  await expect(over).toContainText("Uploaded");
  await expect(over).toContainText("dropped.pdf, 20 KB");
});

test("HEIC that this browser cannot read is rejected with advice and not sent", async ({ page, person }) => {
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  const sizes = lengths(page);
  const buffer = Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(1000)]);
  for (const kind of ["Student ID", "Passport photo"]) {
    await page.getByLabel(kind).setInputFiles({ name: "IMG_2041.HEIC", mimeType: "image/heic", buffer });
    await expect(row(page, kind).getByRole("alert")).toContainText(
      "This phone saved HEIC, which this browser cannot read. Set Camera, Formats, Most Compatible, and take the photo again.",
    );
  }
  expect(sizes).toEqual([]);
});

test("several photos become one document in the chosen order @long", async ({ page, person }) => {
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  const photo = await largePhoto(page, "one.jpg");
  const choosing = page.waitForEvent("filechooser");
  await row(page, label).locator("label").click();
  const chooser = await choosing;
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles(["one.jpg", "two.jpg", "three.jpg"].map((name) => ({ ...photo, name })));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("3 pages");
  await page.getByRole("button", { name: "Later page 1" }).click();
  await expect(page.locator(".crop-pages .meta")).toHaveText(["two.jpg", "one.jpg", "three.jpg"]);
  await expect(page.getByRole("button", { name: "Earlier page 2" })).toBeFocused();
  await page.getByRole("button", { name: "Remove page 3" }).click();
  await page.getByLabel("Add a page").setInputFiles({ ...photo, name: "four.jpg" });
  await expect(page.locator(".crop-pages .meta")).toHaveText(["two.jpg", "one.jpg", "four.jpg"]);
  await page.getByLabel("Add a page").setInputFiles(pdf("no.pdf", 4));
  await expect(page.getByRole("alert")).toHaveText("no.pdf: This is a PDF. Choose one PDF, or photos only.");
  await page.getByRole("button", { name: "Use these pages" }).click();
  await expect(row(page, label)).toContainText("Uploaded");
  await expect(row(page, label)).toContainText("two.pdf, ");
  const kept = await (await page.request.get(await address(page, label))).body();
  expect(kept.length).toBeLessThanOrEqual(2_097_152);
  const text = kept.toString("latin1");
  expect([...text.matchAll(/\/Type *\/Page\b/g)]).toHaveLength(3);
  expect(text).toMatch(/\/MediaBox *\[0 0 632 842\]/); // upright
});

test("cancelling the pages leaves the row unchanged", async ({ page, person }) => {
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  const sizes = lengths(page);
  const photo = picture("one.jpg");
  const choose = async (files: (typeof photo)[]) => {
    const choosing = page.waitForEvent("filechooser");
    await row(page, label).locator("label").click();
    await (await choosing).setFiles(files);
  };
  await choose([photo, { ...photo, name: "two.jpg" }]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel(label)).toBeFocused();
  await choose([photo, pdf("two.pdf", 4)]);
  await expect(row(page, label).getByRole("alert")).toContainText("Choose one PDF, or photos only.");
  expect(sizes).toEqual([]);
});

test("pages that are too large together are compressed, and rejected if still too large @long", async ({
  page,
  person,
}) => {
  const slow = { timeout: 40_000 }; // a busy machine compresses eight large photos for longer than the usual 10 s
  await opens(page, person);
  await expect(page.locator("form.is-live")).toBeVisible();
  const sizes = lengths(page);
  const photo = await grainyPhoto(page, "page.jpg");
  const choose = async (pages: number) => {
    const choosing = page.waitForEvent("filechooser");
    await row(page, label).locator("label").click();
    await (await choosing).setFiles(Array.from({ length: pages }, () => photo));
    await page.getByRole("button", { name: "Use these pages" }).click();
  };
  await choose(8);
  await expect(row(page, label).getByRole("alert")).toContainText(
    /Marksheet must be less than or equal to 2MB.*These pages have [1-9],[0-9]{3} KB together\. The limit is 2,048 KB\. Leave out what is not asked for\./,
    slow,
  );
  expect(sizes).toEqual([]);
  await choose(4);
  await expect(row(page, label)).toContainText("Uploaded", slow);
  expect(sizes[0]).toBeGreaterThan(1_000_000);
  expect(sizes[0]).toBeLessThanOrEqual(2_097_152);
  console.log("four pages:", sizes[0]);
});
