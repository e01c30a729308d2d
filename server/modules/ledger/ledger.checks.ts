import { sql } from 'kysely'
import { HOUR } from '../../../shared/time.ts'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { quoted } from '../../lib/text.ts'

/** A night was missed, and the next one may have begun. */
const STALE_HOURS = 50

const ledger = check({
  name: 'ledger',
  group: 'ledger',
  outcomes: {
    ok: ok('The ledger added up when it was last checked, at {{checked_at}}.'),
    never: ok('The ledger has not been checked yet. A worker checks it each night.'),
    stale: warning(
      'The ledger was last checked at {{checked_at}}, although a worker checks it each night.',
      'See whether a worker runs, and what its log says about the job check-ledger.',
    ),
    wrong: error(
      'The ledger did not add up at {{checked_at}}. Problems: {{count}}. The first: {{detail}}',
      'Open the page “Ledger check”, which says what to do about each problem.',
    ),
  },
  find: async ({ database, now }) => {
    const row = await database()
      .selectFrom('ledger_check')
      .select(['checked_at', sql<{ detail: string }[]>`problems`.as('problems')])
      .executeTakeFirst()
    if (!row) return { outcome: 'never' }
    const checked_at = row.checked_at.toISOString()
    const [first] = row.problems
    if (first)
      return { outcome: 'wrong', values: { checked_at, count: row.problems.length, detail: quoted(first.detail, 300) } }
    const isStale = now().getTime() - row.checked_at.getTime() > STALE_HOURS * HOUR
    return { outcome: isStale ? 'stale' : 'ok', values: { checked_at } }
  },
})

export const ledgerChecks = [ledger]
