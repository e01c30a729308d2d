/** Business time. Tests set it; nothing else asks the machine for the time of an act. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }
