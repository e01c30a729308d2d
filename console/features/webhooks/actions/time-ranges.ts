import { DAY, HOUR, MINUTE } from '../../../../shared/time'

/** Lengths of the ranges in milliseconds. `kept`: the time for which events are kept. */
export const timeRanges = { hour: HOUR, day: DAY, week: 7 * DAY, kept: 30 * DAY } as const

/** 5 minutes earlier, because an event is older than its attempt, and an attempt takes time. */
export const beforeFailure = (first_failure_at: string) => new Date(first_failure_at).getTime() - 5 * MINUTE

/** Older events are gone; 5 minutes are for the call. */
export const withinRetention = (time: number) => new Date(Math.max(time, Date.now() - timeRanges.kept + 5 * MINUTE))
