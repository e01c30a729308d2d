const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How far back one may reach: as far as events are kept. */
export const spans = { hour: HOUR, day: DAY, week: 7 * DAY, kept: 30 * DAY } as const

/** Which events failed since then: an event is older than its attempt, and an attempt takes its time. */
export const beforeFailure = (first_failure_at: string) => new Date(first_failure_at).getTime() - 5 * MINUTE

/** What is older is not kept, and a call takes its time. */
export const notOlder = (time: number) => new Date(Math.max(time, Date.now() - spans.kept + 5 * MINUTE))
