// Setup of every unit test: React applies updates when act ends, and warns about updates outside of act.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
