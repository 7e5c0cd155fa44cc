// Photos like those of phones, drawn by a browser.
import type { Page } from "@playwright/test";

/**
 * Returns a detailed photo of 4000 × 3000 pixels, too large to send unchanged. EXIF says that its left side is up; the corners'
 * colours are named as seen upright.
 */
export async function largePhoto(page: Page, name: string) {
  const base64 = await page.evaluate(async () => {
    const [width, height] = [4000, 3000];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    const grain = context.createImageData(500, 500);
    for (let i = 0, seed = 1; i < grain.data.length; i++) {
      seed = (seed * 48271) % 2147483647; // Lehmer
      grain.data[i] = i % 4 === 3 ? 255 : 96 + (seed % 64);
    }
    for (let x = 0; x < width; x += 500) for (let y = 0; y < height; y += 500) context.putImageData(grain, x, y);
    const corner = (colour: string, x: number, y: number) => {
      context.fillStyle = colour;
      context.fillRect(x, y, 600, 600);
    };
    corner("#f00", 0, height - 600); // upright: top left
    corner("#0f0", 0, 0); // top right
    corner("#00f", width - 600, height - 600); // bottom left
    corner("#fff", width - 600, 0); // bottom right
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  });
  const jpeg = Buffer.from(base64, "base64");
  // EXIF with one entry: orientation 6, a clockwise quarter turn.
  const exif = Buffer.from("ffe100224578696600004d4d002a00000008000101120003000000010006000000000000", "hex");
  return { name, mimeType: "image/jpeg", buffer: Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]) };
}

/** Returns a stored picture's size and the colours of its corners: top left, top right, bottom left, bottom right. */
export const seen = (page: Page, address: string) =>
  page.evaluate(async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob(), { imageOrientation: "none" });
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no canvas");
    context.drawImage(picture, 0, 0);
    const colour = (x: number, y: number) => {
      const [r = 0, g = 0, b = 0] = context.getImageData(x, y, 1, 1).data;
      if (r > 200 && g > 200 && b > 200) return "white";
      return (
        ["red", "green", "blue"].find((_, i) => [r, g, b].every((value, j) => (i === j ? value > 200 : value < 60))) ??
        "grey"
      );
    };
    const at = [
      [10, 10],
      [width - 10, 10],
      [10, height - 10],
      [width - 10, height - 10],
    ] as const;
    return { width, height, corners: at.map(([x, y]) => colour(x, y)).join(" ") };
  }, address);

/** Returns a photo of pure noise, which no encoder can compress much. */
export async function grainyPhoto(page: Page, name: string) {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1000, 800];
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    const grain = context.createImageData(canvas.width, canvas.height);
    for (let i = 0, seed = 1; i < grain.data.length; i++) {
      seed = (seed * 48271) % 2147483647; // Lehmer
      grain.data[i] = i % 4 === 3 ? 255 : seed % 256;
    }
    context.putImageData(grain, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.9).split(",")[1] ?? "";
  });
  return { name, mimeType: "image/jpeg", buffer: Buffer.from(base64, "base64") };
}
