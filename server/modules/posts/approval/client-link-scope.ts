import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'

/** Condition: the link can be used. */
export const isValid = (now: Date) => sql<boolean>`(client_link.revoked_at is null and client_link.expires_at > ${now})`

/** Condition: all accounts of the post are accounts of the link, so that no other account is shown. */
export const hasOnlyItsAccounts = sql<boolean>`(
  exists (select from post_target t where t.post_id = post.id)
  and (client_link.account_ids = '{}' or not exists (
    select from post_target t where t.post_id = post.id and t.account_id <> all(client_link.account_ids))))`

/** Condition: the post is one that the link is for, by its time, its accounts and its labels. */
export const isInScope = sql<boolean>`(
  (coalesce(post.review_scheduled_at, post.scheduled_at) at time zone client_link.timezone)::date
    between client_link.starts_on and client_link.ends_on
  and (client_link.labels = '{}' or client_link.labels && post.labels)
  and ${hasOnlyItsAccounts})`

/** Counts the valid links that let a client decide on each of these posts. */
export async function countClientLinks(db: Db, workspace_id: string, posts: readonly { id: string }[], now: Date) {
  if (posts.length === 0) return new Map<string, number>()
  const rows = await db
    .selectFrom('post')
    .innerJoin('client_link', 'client_link.workspace_id', 'post.workspace_id')
    .select(['post.id', sql<number>`count(*)::int`.as('count')])
    .where('post.workspace_id', '=', workspace_id)
    .where(
      'post.id',
      'in',
      posts.map(({ id }) => id),
    )
    .where('client_link.may_decide', '=', true)
    .where(isValid(now))
    .where(isInScope)
    .groupBy('post.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, count]))
}
