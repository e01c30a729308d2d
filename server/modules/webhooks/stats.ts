import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../lib/access.ts'
import type { WebhookStats } from './webhooks.schema.ts'

export async function readStats(
  _deps: Deps,
  _caller: Member,
  _id: string,
  _query: object,
): Promise<Static<typeof WebhookStats>> {
  throw new Error('TODO')
}
