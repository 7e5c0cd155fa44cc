import { states } from "../states.ts";
import { sweep } from "../sweep.ts";

sweep(false, states);
