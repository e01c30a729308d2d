import { type SqlBool, sql } from 'kysely'
import { notFound } from '../../../../errors.ts'
import type { Db, Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { User } from '../../../../lib/http/access.ts'
import type { ServedFile } from '../../../../lib/http/response/send-file.ts'
import { serveShared } from '../../../media/serving.ts'

export const filePath = (order_id: string, media_id: string) =>
  `/api/v1/marketplace/orders/${order_id}/files/${media_id}`

/** Lets both sides of an order read files, which therefore cannot be deleted. They must be locked. */
export async function shareFiles(tx: Tx, order_id: string, media_ids: readonly string[]) {
  await sql`insert into order_file (order_id, media_id) select ${order_id}::uuid, unnest(${media_ids}::uuid[])
    on conflict do nothing`.execute(tx)
}

/** Orders that share these files. */
export const findOrderUses = (db: Db, media_ids: string[]) =>
  db
    .selectFrom('order_file')
    .select(['media_id', 'order_id'])
    .where(sql<SqlBool>`media_id = any(${media_ids}::uuid[])`)
    .limit(1000)
    .execute()

/**
 * A file of an order, for its buyer's workspace, its seller, and instance admins during a dispute. A page loads it by its
 * URL alone and cannot name a workspace there.
 */
export async function serveOrderFile(
  deps: Pick<Deps, 'db' | 'storage'>,
  { user_id, is_instance_admin, token }: User,
  { id, media_id }: { id: string; media_id: string },
): Promise<ServedFile> {
  const bound_to = token?.membership?.workspace_id ?? null
  const shared = await deps.db
    .selectFrom('order_file')
    .innerJoin('gig_order', 'gig_order.id', 'order_id')
    .select('media_id')
    .where('order_id', '=', id)
    .where('media_id', '=', media_id)
    .where(
      sql<SqlBool>`((${is_instance_admin && token === null} and (gig_order.status = 'disputed' or gig_order.disputed_from = 'completed')) or exists (
        select from workspace_member as member join workspace on workspace.id = member.workspace_id
        where member.user_id = ${user_id} and workspace.deleted_at is null
          and (${bound_to}::uuid is null or member.workspace_id = ${bound_to})
          and (member.workspace_id = gig_order.buyer_workspace_id
            or (member.workspace_id = gig_order.seller_workspace_id and gig_order.seller_id = ${user_id}))))`,
    )
    .executeTakeFirst()
  if (!shared) throw notFound()
  return serveShared(deps, shared.media_id)
}
