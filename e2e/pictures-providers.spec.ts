import { pictures } from "./pictures.ts";
import { gateways, providerStates } from "./provider-states.ts";

pictures(providerStates, gateways);
