import { spawnSync } from "node:child_process";

/** Reports whether the machine has a font that takes as much room as ours (static/css/_fonts.css). Without one, late fonts move text. */
export const hasFallback = spawnSync(".ci/needs", ["has", "fallback"]).status === 0;
