import { exportRows } from '../../../lib/export.ts'

/** Recurring posts in the name of the user. */
export const recurringPosts = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('recurring_post')
    .select(['id', 'workspace_id', 'rule', 'starts_at', 'timezone', 'variants', 'labels', 'created_at', 'updated_at'])
    .select(['variant_order', 'split_from'])
    .where('author_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
