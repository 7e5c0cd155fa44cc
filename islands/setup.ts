// What every unit test stands on: React applies updates when act ends, and warns of updates outside of one.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
