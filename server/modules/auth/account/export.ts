import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, FIRST_ID, inTransaction } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import type { MailKey } from '../../mail/templates/texts.ts'

const BATCH = 500

type Row = { id: string }
/** Reads the next rows with an id beyond `after`, up to `limit`. */
type Read = (db: Db, user_id: string, after: string, limit: number) => Promise<Row[]>

/** Mails whose subject holds a code. */
const CODE_MAILS: MailKey[] = ['signup-otp', 'email-change']

/** Parts that can be long, each read in batches by id. Secrets are not selected. */
const parts: Record<string, Read> = {
  sessions: (db, user_id, after, limit) =>
    db
      .selectFrom('session')
      .select(['id', 'ip_address', 'user_agent', 'created_at', 'seen_at', 'expires_at'])
      .where('user_id', '=', user_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  api_tokens: (db, user_id, after, limit) =>
    db
      .selectFrom('api_token')
      .select(['id', 'team_id', 'name', 'prefix', 'scopes', 'last_used_at', 'expires_at', 'revoked_at', 'created_at'])
      .where('user_id', '=', user_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  audit_log: (db, user_id, after, limit) =>
    db
      .selectFrom('audit_entry')
      .select(['id', 'at', 'workspace_id', 'token_id', 'action', 'target_id', 'details', 'user_agent'])
      .select(sql<string | null>`host(ip)`.as('ip'))
      .where('actor_id', '=', user_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  posts: (db, user_id, after, limit) =>
    db
      .selectFrom('post')
      .select(['id', 'workspace_id', 'content', 'labels', 'status', 'scheduled_at', 'published_at'])
      .select(['created_at', 'updated_at'])
      .where('author_id', '=', user_id)
      .where('deleted_at', 'is', null)
      // Posts in workspaces that the user has left belong to the others.
      .where('workspace_id', 'in', (of) =>
        of
          .selectFrom('workspace_member')
          .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
          .select('workspace.id')
          .where('workspace_member.user_id', '=', user_id)
          .where('workspace.deleted_at', 'is', null),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  webhooks: (db, user_id, after, limit) =>
    db
      .selectFrom('webhook')
      .select(['id', 'team_id', 'url', 'events', 'active', 'created_at'])
      .where('user_id', '=', user_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  invitations: (db, user_id, after, limit) =>
    db
      .selectFrom('invitation')
      .select(['id', 'workspace_id', 'email', 'role', 'locale', 'state', 'expires_at', 'created_at'])
      .select([
        sql<boolean>`invited_by is not distinct from ${user_id}::uuid`.as('sent'),
        sql<boolean>`accepted_by is not distinct from ${user_id}::uuid`.as('accepted'),
      ])
      .where((where) => where.or([where('invited_by', '=', user_id), where('accepted_by', '=', user_id)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  // Codes are only for the mailbox. A person with a stolen session could read them here.
  mails: (db, user_id, after, limit) =>
    db
      .selectFrom('mail')
      .select(['id', 'key', 'locale', 'state', 'created_at', 'sent_at'])
      .select(
        sql<string>`case when key = any(${CODE_MAILS}::text[])
          then regexp_replace(subject, '[0-9]{6}', '******') else subject end`.as('subject'),
      )
      .where('to_address', '=', (of) => of.selectFrom('user').select('email').where('id', '=', user_id))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
}

async function* write(db: Db, user_id: string, head: object) {
  // The closing brace follows the parts.
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(parts)) {
    yield `,${JSON.stringify(name)}:[`
    let after = FIRST_ID
    for (
      let rows = await read(db, user_id, after, BATCH);
      rows.length > 0;
      rows = await read(db, user_id, after, BATCH)
    ) {
      yield (after === FIRST_ID ? '' : ',') + rows.map((row) => JSON.stringify(row)).join(',')
      after = rows.at(-1)?.id ?? after
      if (rows.length < BATCH) break
    }
    yield ']'
  }
  yield '}\n'
}

/**
 * Exports everything stored about a user, as one JSON document. It is read in batches while it is sent, so large
 * exports and slow connections take no more memory and hold no database connection longer.
 */
export async function exportMe(db: Db, caller: User, now: Date) {
  const { user_id } = caller
  const profile = await db
    .selectFrom('user')
    .select(['id', 'email', 'email_verified', 'name', 'locale', 'timezone', 'is_instance_admin', 'two_factor_enabled'])
    .select(['workspace_id', 'created_at', 'updated_at'])
    .where('id', '=', user_id)
    .executeTakeFirst()
  if (!profile) throw notFound()
  const memberships = await db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select(['workspace.id as workspace_id', 'workspace.name', 'workspace.slug'])
    .select(['workspace_member.role', 'workspace_member.created_at'])
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace.deleted_at', 'is', null)
    .orderBy('workspace.id')
    .execute()
  const email_change =
    (await db
      .selectFrom('email_change')
      .select(['new_email as email', 'expires_at', 'created_at'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()) ?? null
  await inTransaction(db, (tx) => audit(tx, { ...caller, workspace_id: null }, 'user.exported', user_id))
  return Readable.from(write(db, user_id, { exported_at: now, profile, memberships, email_change }))
}
