// Shrinks photos on the device before their size is checked, turns them upright and drops the camera's metadata.

export const mostPixels = 1600; // longer side; the server shrinks to the same
const good = 0.85; // JPEG quality

/** Returns a picture's size, shrunk if its longer side exceeds the maximum. */
export function scaled(width: number, height: number, most = mostPixels): { width: number; height: number } {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Decodes a picture and turns it upright by its metadata; undefined if this browser cannot. */
export const read = (file: Blob): Promise<ImageBitmap | undefined> =>
  createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);

/** A rectangle of a picture, in its pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draws a part of a picture as a JPEG; transparent pixels become white. */
export async function jpeg(picture: CanvasImageSource, part: Part, quality = good): Promise<Blob> {
  const { width, height } = scaled(part.width, part.height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, width, height);
  return canvas.convertToBlob({ type: "image/jpeg", quality });
}

/** Returns a name with the extension of the new type. */
export const asJPEG = (name: string): string => (/\.jpe?g$/i.test(name) ? name : `${name.replace(/\.[^.]+$/, "")}.jpg`);

export async function hashOf(content: Blob): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
