import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { selectSeller } from '../gigs/gig-record.ts'
import { listGigs } from '../gigs/list.ts'
import { readSignature } from './signatures.ts'

/** Public gigs that come with their seller. */
const MAX_GIGS = 100

/** Reads a seller with the newest gigs. */
export async function readSeller(db: Db, handle: string) {
  const { user_id } = await readSignature(db, handle)
  const row = await db.selectNoFrom(selectSeller(sql`${user_id}::uuid`).as('seller')).executeTakeFirstOrThrow()
  // Null: the user was deleted meanwhile.
  if (!row.seller) throw notFound()
  const { data: gigs } = await listGigs(db, { seller: handle, limit: MAX_GIGS })
  return { ...row.seller, gigs }
}
