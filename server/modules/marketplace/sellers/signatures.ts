import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { toSlug } from '../../../lib/text.ts'
import type { ChangeSignature } from './sellers.schema.ts'

const columns = ['handle', 'text', 'updated_at', 'version'] as const

/** Names that buyers would take for those of the installation or its provider. */
const reserved = [
  'admin administrator root system staff team moderator official security verified support help contact info billing',
  'payment payments payout payouts refund refunds meydan marketplace seller sellers buyer everyone here me null undefined',
  'destek yardim yonetici yonetim resmi guvenlik odeme odemeler fatura iade iletisim',
].flatMap((names) => names.split(' '))

const unset = { handle: null, text: '', updated_at: null, version: 0 }

const findOwn = (db: Db, user_id: string) =>
  db.selectFrom('signature').select(columns).where('user_id', '=', user_id).executeTakeFirst()

export const readOwnSignature = async (db: Db, { user_id }: User) => (await findOwn(db, user_id)) ?? unset

/** Whether a handle is reserved, or the name of this installation. `_` does not tell handles apart. */
async function isReserved({ options }: Pick<Deps, 'options'>, tx: Tx, handle: string) {
  const bare = handle.replaceAll('_', '')
  const own = toSlug(await options.get('app.name', tx), 80).replaceAll('-', '')
  return reserved.includes(bare) || bare === own
}

export const changeSignature = (
  { db, clock, options }: Pick<Deps, 'db' | 'clock' | 'options'>,
  caller: User,
  input: Static<typeof ChangeSignature>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const { user_id } = caller
    // A first signature has no row to lock.
    await tx.selectFrom('user').select('id').where('id', '=', user_id).forNoKeyUpdate().execute()
    const before = await readOwnSignature(tx, caller)
    ifMatch(before.version)
    const handle = input.handle ?? before.handle
    if (handle === null) throw invalid('/handle', 'The first change sets a handle.', 'required')
    if (handle !== before.handle && (await isReserved({ options }, tx, handle)))
      throw invalid('/handle', 'This handle is reserved.')
    const { text = before.text } = input
    const now = clock.now()
    const after = await tx
      .insertInto('signature')
      .values({ user_id, handle, text, updated_at: now })
      .onConflict((own) =>
        own.column('user_id').doUpdateSet({
          handle,
          text,
          updated_at: sql<Date>`greatest(signature.updated_at + interval '1 ms', ${now}::timestamptz)`,
        }),
      )
      .returning(columns)
      .executeTakeFirstOrThrow()
    await audit(
      tx,
      { ...caller, workspace_id: null },
      'signature.updated',
      user_id,
      changedFields(before, after, ['handle', 'text']),
    )
    return after
  })

/** The signature with a handle, unless its user is banned. */
export async function readSignature(db: Db, handle: string) {
  const signature = await db
    .selectFrom('signature')
    .innerJoin('user', 'user.id', 'signature.user_id')
    .select(['signature.user_id', 'signature.handle', 'signature.text', 'signature.updated_at', 'signature.version'])
    .where('signature.handle', '=', handle)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  if (!signature) throw notFound()
  return signature
}
