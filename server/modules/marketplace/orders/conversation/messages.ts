import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import { invalid, notFound, problem, toMessage } from '../../../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import { page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { readMediaForPost } from '../../../media/media.ts'
import { lockOrder, requireSide } from '../record/act-on-order.ts'
import { filePath, shareFiles } from '../record/order-files.ts'
import { type OrderState, otherSide, readState, type Side } from '../record/order-state.ts'
import { assertAllowed } from '../record/rules.ts'
import type { MessageInput, MessageQuery, ReadInput } from './messages.schema.ts'
import { mailOrder } from './order-mails.ts'

/** A side is mailed about messages once in this time. */
const MAIL_INTERVAL_MS = HOUR

type Shown = { media_id: string; name: string; kind: string; url: string }

/** Messages of an order with their authors and files. */
const messages = (db: Db, order_id: string) =>
  db
    .selectFrom('order_message')
    .leftJoin('user', 'user.id', 'order_message.author_id')
    .select(['order_message.id', 'side', 'text', 'code', 'details', 'order_message.created_at'])
    .select(
      sql<string | null>`case when side in ('buyer', 'seller') and code is null then "user".name end`.as('author'),
    )
    .select(
      sql<Shown[]>`coalesce((
        select json_agg(json_build_object('media_id', m.id, 'name', m.name, 'kind', m.kind,
          'url', ${filePath(order_id, '')}::text || m.id) order by place)
        from unnest(order_message.media_ids) with ordinality as listed(id, place) join media m on m.id = listed.id
      ), '[]')`.as('files'),
    )
    .where('order_id', '=', order_id)

/** The newest first. */
export async function listMessages(db: Db, caller: Member, id: string, query: Static<typeof MessageQuery>) {
  await requireParty(db, caller, id)
  return pageOfMessages(db, id, query)
}

export const pageOfMessages = (db: Db, order_id: string, query: Static<typeof MessageQuery>) =>
  page(messages(db, order_id), 'order_message.id', query, { db, columns: ['text'] })

async function requireParty(db: Db, caller: Member, id: string) {
  const row = await db
    .selectFrom('gig_order')
    .select(['buyer_workspace_id', 'seller_workspace_id', 'seller_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return requireSide(row, caller)
}

export const sendMessage = (
  deps: Deps,
  caller: Member,
  id: string,
  { text, media_ids = [] }: Static<typeof MessageInput>,
) =>
  inTransaction(deps.db, async (tx) => {
    const order = await lockOrder(tx, id)
    const side = requireSide(order, caller)
    assertAllowed('send_message', { order, party: side, now: deps.clock.now() })
    const files = await readMediaForPost(tx, caller.workspace_id, media_ids)
    const found = new Set(files.map((file) => file.id))
    const missing = media_ids.flatMap((media_id, index) =>
      found.has(media_id.toLowerCase()) ? [] : [`/media_ids/${index}`],
    )
    if (missing.length > 0)
      throw problem('validation_failed', {
        errors: missing.map((pointer) => ({
          pointer,
          code: 'invalid' as const,
          ...toMessage({ en: 'This file does not exist.', tr: 'Bu dosya yok.' }),
        })),
      })
    const ids = files.map((file) => file.id)
    await shareFiles(tx, id, ids)
    return writeMessage(deps, tx, order, { side, author_id: caller.user_id, text, media_ids: ids })
  })

type NewMessage = { side: OrderParty; author_id: string; text: string; media_ids: string[] }

/** Writes a message on an order, which is locked, and mails those who have not been mailed lately. */
export async function writeMessage(deps: Deps, tx: Tx, order: OrderState, message: NewMessage) {
  const now = deps.clock.now()
  const { id } = await tx
    .insertInto('order_message')
    .values({ order_id: order.id, ...message, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const readers: Side[] = message.side === 'admin' ? ['buyer', 'seller'] : [otherSide(message.side)]
  for (const reader of readers)
    if (await isMailDue(tx, order.id, reader, now)) await mailOrder(deps, tx, order, reader, { key: 'order-message' })
  return messages(tx, order.id).where('order_message.id', '=', id).executeTakeFirstOrThrow()
}

/** Notes the mail, if the last one is long ago. */
async function isMailDue(tx: Tx, order_id: string, side: Side, now: Date) {
  const { rows } = await sql`insert into order_reader (order_id, side, mailed_at) values (${order_id}, ${side}, ${now})
    on conflict (order_id, side) do update set mailed_at = excluded.mailed_at
    where order_reader.mailed_at is null or order_reader.mailed_at <= ${new Date(now.getTime() - MAIL_INTERVAL_MS)}
    returning side`.execute(tx)
  return rows.length > 0
}

/** Marks messages as read by the side of the caller, up to one of them. */
export const readMessages = (
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  id: string,
  { message_id }: Static<typeof ReadInput>,
) =>
  inTransaction(db, async (tx) => {
    const side = await requireParty(tx, caller, id)
    const message = await tx
      .selectFrom('order_message')
      .select('id')
      .where('id', '=', message_id)
      .where('order_id', '=', id)
      .executeTakeFirst()
    if (!message) throw invalid('/message_id', { en: 'This message does not exist.', tr: 'Bu mesaj yok.' })
    await tx
      .insertInto('order_reader')
      .values({ order_id: id, side, read_until: message.id })
      .onConflict((conflict) =>
        conflict
          .columns(['order_id', 'side'])
          .doUpdateSet({ read_until: message.id })
          .where(sql<SqlBool>`(order_reader.read_until is null or order_reader.read_until < ${message.id})`),
      )
      .execute()
    const { unread_buyer, unread_seller } = await readState(tx, id)
    return { unread_messages: side === 'buyer' ? unread_buyer : unread_seller }
  })
