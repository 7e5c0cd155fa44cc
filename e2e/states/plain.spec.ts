import { sweep } from "../sweep.ts";

sweep(false);
