import { sql } from 'kysely'
import type { Db } from '../../lib/db/database.ts'
import { exportRows } from '../../lib/export.ts'

/** Workspaces that a user owns. Their billing is exported with the user. */
const ownedBy = (db: Db, user_id: string) =>
  db.selectFrom('workspace_member').select('workspace_id').where('user_id', '=', user_id).where('role', '=', 'owner')

const major = (column: string) => sql<number>`(${sql.ref(column)}::numeric / 100)::float8`

export const subscriptions = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('subscription')
    .select(['id', 'workspace_id', 'plan_code', 'status', 'billing_period', 'billing_currency as currency'])
    .select([major('amount').as('amount'), 'current_period_start', 'current_period_end', 'ended_at'])
    .select(['provider', 'provider_customer_id', 'created_at'])
    .where('workspace_id', 'in', ownedBy(db, user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)

export const payments = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('payment')
    .select(['id', 'workspace_id', 'provider', 'provider_payment_id', 'currency', major('amount').as('amount')])
    .select(['paid_at'])
    .where('workspace_id', 'in', ownedBy(db, user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)

export const invoices = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('invoice')
    .select(['id', 'workspace_id', 'number', 'kind', 'status', 'currency', major('total').as('total')])
    .select([sql<object>`buyer`.as('buyer'), 'issued_at', 'paid_at'])
    .where('workspace_id', 'in', ownedBy(db, user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
