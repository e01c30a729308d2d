/** Meydan cannot start, for a reason that the operator can fix. The message says how, and needs no stack. */
export class StartError extends Error {}
