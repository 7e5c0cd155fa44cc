import { states } from "../states.ts";
import { sweep } from "../sweep.ts";

sweep(true, states);
