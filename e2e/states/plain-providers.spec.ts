import { gateways, providerStates } from "../provider-states.ts";
import { sweep } from "../sweep.ts";

sweep(false, providerStates, gateways);
