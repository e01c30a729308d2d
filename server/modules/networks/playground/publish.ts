import type { Deps } from '../../../lib/deps.ts'
import type { Finding, Outcome, Publication } from '../network.ts'

const published = (baseUrl: string, id: string) =>
  ({ kind: 'published', external_id: id, url: `${baseUrl}/playground/${id}` }) as const

export async function publish(
  { db, baseUrl }: Deps,
  { account, content, attempt_key, now }: Publication,
): Promise<Outcome> {
  const { id } = await db
    .insertInto('playground_post')
    .values({ workspace_id: account.workspace_id, account_id: account.id, attempt_key, content, created_at: now })
    .onConflict((conflict) => conflict.column('attempt_key').doUpdateSet({ attempt_key }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return published(baseUrl, id)
}

export async function find({ db, baseUrl }: Deps, { attempt_key }: Publication): Promise<Finding> {
  const post = await db
    .selectFrom('playground_post')
    .select('id')
    .where('attempt_key', '=', attempt_key)
    .executeTakeFirst()
  return post ? published(baseUrl, post.id) : { kind: 'absent' }
}
