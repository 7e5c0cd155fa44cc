import { pictures } from "./pictures.ts";
import { states } from "./states.ts";

pictures(states);
