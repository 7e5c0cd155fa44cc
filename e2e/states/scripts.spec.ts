import { sweep } from "../sweep.ts";

sweep(true);
