import { exportRows } from '../../../lib/export.ts'

export const gigReports = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('gig_report')
    .select(['id', 'gig_id', 'reason', 'text', 'status', 'created_at'])
    .where('reporter_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
