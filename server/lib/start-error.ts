/** Meydan cannot start, for a reason that whoever runs it can mend: the message says how, and needs no stack. */
export class StartError extends Error {}
