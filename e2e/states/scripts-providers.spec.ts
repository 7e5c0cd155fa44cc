import { gateways, providerStates } from "../provider-states.ts";
import { sweep } from "../sweep.ts";

sweep(true, providerStates, gateways);
