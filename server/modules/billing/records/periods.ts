import { divideHalfEven } from '../../../lib/money.ts'
import type { Period } from '../providers/provider.ts'

const months: Record<Period, number> = { monthly: 1, yearly: 12 }

/** The same time of day and day of the month (UTC), or the last day of a shorter month: 31 January + 1 is 28 February. */
function addMonths(time: Date, count: number) {
  const end = new Date(time)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(time.getUTCDate(), lastDay))
  return end
}

/**
 * The first end after `time` of the periods that begin at `anchor`. Counted from the anchor and not from the last end,
 * so that 31 January is followed by 28 February and 31 March.
 */
export function periodEndAfter(anchor: Date, period: Period, time: Date) {
  for (let count = months[period]; ; count += months[period]) {
    const end = addMonths(anchor, count)
    if (end > time) return end
  }
}

/** The part of a price that belongs to the rest of its period. */
export function unused(amount: bigint, { start, end }: { start: Date; end: Date }, now: Date) {
  const whole = BigInt(end.getTime() - start.getTime())
  const left = BigInt(Math.max(0, end.getTime() - Math.max(now.getTime(), start.getTime())))
  return whole > 0n ? divideHalfEven(amount * left, whole) : 0n
}
