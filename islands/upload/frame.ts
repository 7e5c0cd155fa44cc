// The crop of a passport photo: ratio 35:45, within the picture, in its pixels.
import type { Part } from "./picture.ts";

export interface Size {
  width: number;
  height: number;
}

export type Corner = "top left" | "top right" | "bottom left" | "bottom right";
export const corners: Corner[] = ["top left", "top right", "bottom left", "bottom right"];

const shape = 45 / 35;
const smallest = 0.2; // smallest width as a share of the largest

/** Returns the largest width of the crop. */
export const widest = ({ width, height }: Size): number => Math.min(width, height / shape);

const clamp = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);

function within(photo: Size, x: number, y: number, width: number): Part {
  const height = width * shape;
  return { x: clamp(0, x, photo.width - width), y: clamp(0, y, photo.height - height), width, height };
}

/** Returns the initial crop: most of the picture, slightly above its middle, where faces are. */
export function first(photo: Size): Part {
  const width = widest(photo) * 0.8;
  return within(photo, (photo.width - width) / 2, (photo.height - width * shape) / 3, width);
}

export const moved = (photo: Size, part: Part, dx: number, dy: number): Part =>
  within(photo, part.x + dx, part.y + dy, part.width);

/** Returns the crop with another width around the same centre. */
export function sized(photo: Size, part: Part, width: number): Part {
  const most = widest(photo);
  const now = clamp(most * smallest, width, most);
  return within(photo, part.x + (part.width - now) / 2, part.y + (part.height - now * shape) / 2, now);
}

/** Returns the crop after a corner was dragged sideways; the opposite corner stays. */
export function pulled(photo: Size, part: Part, corner: Corner, dx: number): Part {
  const left = corner.endsWith("left");
  const top = corner.startsWith("top");
  const across = { x: left ? part.x + part.width : part.x, y: top ? part.y + part.height : part.y };
  const room = Math.min(
    left ? across.x : photo.width - across.x,
    (top ? across.y : photo.height - across.y) / shape,
    widest(photo),
  );
  const width = clamp(Math.min(widest(photo) * smallest, room), part.width + (left ? -dx : dx), room);
  const height = width * shape;
  return { x: left ? across.x - width : across.x, y: top ? across.y - height : across.y, width, height };
}
