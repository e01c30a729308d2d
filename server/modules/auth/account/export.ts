import { Readable } from 'node:stream'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { ExportPart } from '../../../lib/export.ts'
import type { User } from '../../../lib/http/access.ts'

async function* write(db: Db, user_id: string, head: object, parts: Record<string, ExportPart>) {
  // The closing brace follows the parts.
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, part] of Object.entries(parts)) {
    yield `,${JSON.stringify(name)}:`
    yield* part(db, user_id)
  }
  yield '}\n'
}

/**
 * Exports everything stored about a user, as one JSON document. It is read in batches while it is sent, so large
 * exports and slow connections take no more memory and hold no database connection longer.
 */
export async function exportMe(db: Db, parts: Record<string, ExportPart>, caller: User, now: Date) {
  const { user_id } = caller
  const profile = await db
    .selectFrom('user')
    .select(['id', 'email', 'email_verified', 'name', 'locale', 'timezone', 'is_instance_admin', 'two_factor_enabled'])
    .select(['mail_post_failures', 'workspace_id', 'created_at', 'updated_at'])
    .where('id', '=', user_id)
    .executeTakeFirst()
  if (!profile) throw notFound()
  await inTransaction(db, (tx) => audit(tx, { ...caller, workspace_id: null }, 'user.exported', user_id))
  return Readable.from(write(db, user_id, { exported_at: now, profile }, parts))
}
