// React's half of components/knots.templ: steps on one line, and the loops behind a code.

/** How far a step has come, as long as there is a form; components.KnotState says how each looks. */
export type KnotState = "done" | "now" | "ahead" | "open";

export interface Knot {
  name: string;
  state: KnotState;
}

const words: Record<KnotState, string> = { done: ", done", now: ", now", ahead: ", to come", open: ", still open" };
const looks: Record<KnotState, [string, string]> = {
  done: ["earned", "earned"],
  now: ["earned", "to-come"],
  open: ["broken", "loose"],
  ahead: ["to-come", "to-come"],
};
const tile = 40;

/** Steps on one line, by name. */
export function Knots({ knots }: { knots: Knot[] }) {
  const done = knots.filter(({ state }) => state === "done").length;
  return (
    <div className="knots">
      <svg className="braid" viewBox={`-17 -17 ${tile * knots.length - 6} 34`} aria-hidden="true">
        <Paths paths={pathsOf(knots)} />
        {knots.map(({ name, state }, i) => (
          <Dot key={name} state={state} x={tile * i} />
        ))}
      </svg>
      <ol aria-label={`${done} of ${knots.length} steps done`}>
        {knots.map(({ name, state }) => (
          <li key={name} className={`is-${state}`}>
            {name}
            <span className="visually-hidden">{words[state]}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Dot({ state, x }: { state: KnotState; x: number }) {
  switch (state) {
    case "done":
      return <circle className="earned" cx={x} cy="0" r="4.6" />;
    case "now":
      return <circle className="now" cx={x} cy="0" r="4.6" />;
    case "open":
      return (
        <g className="bang">
          <circle cx={x} cy="0" r="7.5" /> <path d={`M${x} -4V1M${x} 3.6V4`} />
        </g>
      );
  }
  return <circle cx={x} cy="0" r="3.4" />;
}

interface Path {
  look: string;
  d: string;
}

function Paths({ paths }: { paths: Path[] }) {
  return paths.map(({ look, d }) => <path key={d} className={look} d={d} />);
}

/** The stretches of the line: what is not drawn yet first, then from the left, one where neighbours look alike. */
function pathsOf(knots: Knot[]): Path[] {
  const halves = knots.flatMap(({ state }) => looks[state]);
  const paths: Path[] = [];
  for (let from = 0; from < halves.length; ) {
    let to = from + 1;
    while (to < halves.length && halves[to] === halves[from]) to++;
    paths.push({ look: halves[from] ?? "", d: run(knots.length, from, to) });
    from = to;
  }
  const thin = ({ look }: Path) => Number(look === "to-come");
  return paths.sort((a, b) => thin(b) - thin(a));
}

/** The part of a braid of n dots between two half tiles: braidRun of components/kolam.go, with open tiles inside. */
function run(n: number, from: number, to: number): string {
  const strand = (side: number): string => {
    let d = "";
    for (let half = from; half < to; half++) {
      const dot = half >> 1;
      const x = tile * dot;
      const y = (dot % 2 === 0 ? side : -side) * 16;
      const leaves = half % 2 === 1;
      const sign = leaves ? 1 : -1;
      const last = leaves ? dot === n - 1 : dot === 0;
      // From the side of the tile, where the line crosses or turns back, to above or below the dot; or the other way.
      const edge = last ? [x + sign * 16, 0] : [x + sign * 20, 0];
      const near = last ? [x + sign * 16, y * 0.55225] : [x + sign * 13.6, y * 0.4];
      const curve = [edge, near, [x + sign * 8.836, y], [x, y]].map((point) => point.map(round).join(" "));
      if (leaves) curve.reverse();
      if (!d) d = `M${curve[0]}`;
      d += `C${curve.slice(1).join(" ")}`;
    }
    return d;
  };
  return strand(-1) + strand(1);
}

const round = (value: number) => Number(value.toFixed(3)) + 0; // never -0

const codeDigits = 6;

/** The loops behind a one-time code, drawn as it is typed: the one where the next digit comes to its half, around a ring. */
export function Digits({ typed, wrong }: { typed: number; wrong: boolean }) {
  const drawn = Math.min(typed, codeDigits);
  const paths: Path[] = [];
  if (wrong) paths.push({ look: "broken", d: run(codeDigits, 0, 2 * codeDigits) });
  else {
    const half = Math.min(2 * drawn + 1, 2 * codeDigits);
    if (half < 2 * codeDigits) paths.push({ look: "to-come", d: run(codeDigits, half, 2 * codeDigits) });
    paths.push({ look: "earned", d: run(codeDigits, 0, half) });
  }
  const next = wrong ? codeDigits : drawn;
  const dots = Array.from({ length: codeDigits }, (_, i) => tile * i).slice(next + 1);
  return (
    <svg className="braid" viewBox={`-20 -20 ${tile * codeDigits} 40`} aria-hidden="true">
      <Paths paths={paths} />
      {next < codeDigits && <Caret x={tile * next} />}
      {dots.map((x) => (
        <circle key={x} cx={x} cy="0" r="3" />
      ))}
    </svg>
  );
}

/** Where the next digit comes. */
function Caret({ x }: { x: number }) {
  return (
    <g className="next">
      <circle cx={x} cy="0" r="10.5" /> <path d={`M${x} -5.5V5.5`} />
    </g>
  );
}
