import { sql } from 'kysely'
import { DAY } from '../../../../../shared/time.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import { isOccurrence, occurrencesAfter, type Recurrence, shownAt } from '../occurrences.ts'

const dayOf = (time: Date, { timezone }: Recurrence) => shownAt(time.getTime(), timezone).toISOString().slice(0, 10)

/** The occurrence on a day, of which there is at most one. */
function occurrenceOn(day: string, recurrence: Recurrence) {
  // No zone is more than a day away from UTC.
  const begin = new Date(Date.parse(`${day}T00:00:00Z`) - DAY)
  for (const time of occurrencesAfter(recurrence, begin)) {
    const found = dayOf(time, recurrence)
    if (found === day) return time
    if (found > day) return
  }
}

/**
 * What was decided about a day stays decided when the rule gets another time of day or zone: a skipped day stays skipped,
 * and one whose post was edited gets no second one. A day without an occurrence by the new rule stays as it is.
 */
export async function keepDays(
  tx: Tx,
  recurring_post_id: string,
  { from, to, now }: { from: Recurrence; to: Recurrence; now: Date },
) {
  const decided = await tx
    .selectFrom('post_occurrence')
    .select(['id', 'occurs_at'])
    .where('recurring_post_id', '=', recurring_post_id)
    .where('occurs_at', '>', now)
    .execute()
  const taken = new Set(decided.map(({ occurs_at }) => occurs_at.getTime()))
  const moved = decided.flatMap(({ id, occurs_at }) => {
    const time = isOccurrence(to, occurs_at) ? undefined : occurrenceOn(dayOf(occurs_at, from), to)
    return !time || time <= now || taken.has(time.getTime()) ? [] : { id, occurs_at: time }
  })
  if (moved.length === 0) return
  await sql`update post_occurrence set occurs_at = moved.occurs_at
    from json_to_recordset(${JSON.stringify(moved)}::json) as moved (id uuid, occurs_at timestamptz)
    where post_occurrence.id = moved.id`.execute(tx)
}
