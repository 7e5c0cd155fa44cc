// The lines of a braid, as components/kolam.go and stepper.go draw them.

/** A part of a line in one style. */
export interface Path {
  look: string;
  d: string;
  /** In hundredths. */
  isLoop?: boolean;
}

/** The side of a dot's tile. */
export const tile = 40;

/** Number of digits of a one-time code. */
export const codeDigits = 6;

/** The part of a braid of n dots between two half tiles: braidRun of components/kolam.go, with open tiles inside. */
export function run(n: number, from: number, to: number): string {
  const halves = Array.from({ length: to - from }, (_, i) => from + i);
  const strand = (side: number) => path(halves.map((half) => curve(n, half, (half >> 1) % 2 === 0 ? side : -side)));
  return strand(-1) + strand(1);
}

/** The i-th tile of a braid of n dots, from its left end over the dot and around: braidLoop of components/kolam.go. */
export function loop(n: number, i: number): string {
  const halves = [2 * i, 2 * i + 1];
  const below = halves.map((half) => curve(n, half, 1).reverse()).reverse();
  return path([...halves.map((half) => curve(n, half, -1)), ...below]);
}

/** Path from the tile's side, where the line crosses or turns back, to above (-1) or below (1) the dot, or in reverse. */
function curve(n: number, half: number, side: number): string[] {
  const dot = half >> 1;
  const x = tile * dot;
  const y = side * 16;
  const leaves = half % 2 === 1;
  const sign = leaves ? 1 : -1;
  const last = leaves ? dot === n - 1 : dot === 0;
  const edge = last ? [x + sign * 16, 0] : [x + sign * 20, 0];
  const near = last ? [x + sign * 16, y * 0.55225] : [x + sign * 13.6, y * 0.4];
  const points = [edge, near, [x + sign * 8.836, y], [x, y]].map((point) => point.map(round).join(" "));
  return leaves ? points.reverse() : points;
}

const path = (curves: string[][]) =>
  curves.map((points, i) => `${i === 0 ? `M${points[0]}` : ""}C${points.slice(1).join(" ")}`).join("");

const round = (value: number) => Number(value.toFixed(3)) + 0; // never -0

export interface Digits {
  paths: Path[];
  next?: number; // position of the next digit
  dots: number[]; // later empty positions
}

/** Returns the loops behind a code: one per typed digit and half of the next. A wrong code's loops are broken. */
export function digits(typed: number, wrong: boolean): Digits {
  if (wrong) return { paths: [{ look: "broken", d: run(codeDigits, 0, 2 * codeDigits) }], dots: [] };
  const drawn = Math.min(typed, codeDigits);
  const half = Math.min(2 * drawn + 1, 2 * codeDigits);
  const done = { look: "done", d: run(codeDigits, 0, half) };
  if (drawn === codeDigits) return { paths: [done], dots: [] };
  return {
    paths: [{ look: "ahead", d: run(codeDigits, half, 2 * codeDigits) }, done],
    next: tile * drawn,
    dots: Array.from({ length: codeDigits }, (_, i) => tile * i).slice(drawn + 1),
  };
}
