import { sql } from 'kysely'
import { exportRows, exportValue } from '../../../lib/export.ts'

export const payoutAccounts = exportValue((db, user_id) =>
  db
    .selectFrom('payout_account')
    .select(['workspace_id', 'holder', 'iban_masked', 'updated_at'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute(),
)

export const payouts = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('payout')
    .select(['id', 'workspace_id', 'currency', sql<number>`(amount::numeric / 100)::float8`.as('amount'), 'status'])
    .select(['holder', 'iban_masked', 'reference', 'failure_reason', 'decided_at', 'created_at'])
    .where('user_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
