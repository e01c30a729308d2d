import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../lib/access.ts'
import type { Db } from '../../lib/database.ts'
import type { Delivery, DeliveryDetail, Recovered } from './webhooks.schema.ts'

type Ids = { id: string; delivery_id: string }

export async function listDeliveries(
  _db: Db,
  _caller: Member,
  _id: string,
  _query: object,
): Promise<{ data: Static<typeof Delivery>[]; next_cursor: string | null }> {
  throw new Error('TODO')
}
export async function readDelivery(_db: Db, _caller: Member, _ids: Ids): Promise<Static<typeof DeliveryDetail>> {
  throw new Error('TODO')
}
export async function retryDelivery(_deps: Deps, _caller: Member, _ids: Ids): Promise<Static<typeof Delivery>> {
  throw new Error('TODO')
}
export async function recoverDeliveries(
  _deps: Deps,
  _caller: Member,
  _id: string,
  _input: { since: string },
): Promise<Static<typeof Recovered>> {
  throw new Error('TODO')
}
