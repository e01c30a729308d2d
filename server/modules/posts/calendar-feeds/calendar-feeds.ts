import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { limitExceeded, notFound } from '../../../errors.ts'
import { hashSecret } from '../../../lib/crypto/hashed-secrets.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { lockAccounts } from '../../accounts/accounts.ts'
import type { NewCalendarFeed } from './calendar-feeds.schema.ts'

const MAX_FEEDS = 20

/** The feeds of a member. Nobody else sees them. */
export const listCalendarFeeds = (db: Db, { workspace_id, user_id }: Pick<Member, 'workspace_id' | 'user_id'>) =>
  db
    .selectFrom('calendar_feed')
    .select(['id', 'name', 'account_ids', 'labels', 'shows_unapproved', 'shows_text', 'last_read_at', 'created_at'])
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', user_id)

/** Creates a feed. The secret of its address is returned once and only its hash is stored. */
export const createCalendarFeed = (
  { db, clock, keyring, baseUrl }: Pick<Deps, 'db' | 'clock' | 'keyring' | 'baseUrl'>,
  caller: Member,
  input: Static<typeof NewCalendarFeed>,
) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, user_id } = caller
    const account_ids = (input.account_ids ?? []).map((id) => id.toLowerCase())
    await lockAccounts(tx, workspace_id, account_ids)
    // The lock keeps concurrent calls from exceeding the limit.
    await tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()
    const { count } = await tx
      .selectFrom('calendar_feed')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_FEEDS)
      throw limitExceeded(
        'calendar_feeds',
        MAX_FEEDS,
        count,
        `A member can have at most ${MAX_FEEDS} calendar feeds in a workspace.`,
      )
    const id = await newId(tx)
    const secret = randomBytes(32).toString('base64url')
    const feed = {
      id,
      name: input.name.trim(),
      account_ids,
      labels: distinctLabels(input.labels ?? []),
      shows_unapproved: input.shows_unapproved ?? true,
      shows_text: input.shows_text ?? true,
      created_at: clock.now(),
    }
    const hashed_secret = hashSecret(keyring, 'calendar_feed', secret)
    await tx
      .insertInto('calendar_feed')
      .values({ ...feed, workspace_id, user_id, hashed_secret })
      .execute()
    const { name, labels, shows_unapproved, shows_text } = feed
    await audit(tx, caller, 'calendar_feed.created', id, {
      after: { name, account_ids, labels, shows_unapproved, shows_text },
    })
    return { ...feed, last_read_at: null, url: `${baseUrl}/api/v1/calendar-feeds/${id}/posts.ics?key=${secret}` }
  })

/** Deletes a feed of the caller. Its address is refused from then on. */
export const deleteCalendarFeed = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('calendar_feed')
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .where('user_id', '=', caller.user_id)
      .returning('name')
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'calendar_feed.deleted', id, { before: deleted })
  })

export async function deleteFeedsOfMember(_deps: Deps, tx: Tx, { workspace_id }: Member, user_id: string) {
  await tx.deleteFrom('calendar_feed').where('workspace_id', '=', workspace_id).where('user_id', '=', user_id).execute()
}
