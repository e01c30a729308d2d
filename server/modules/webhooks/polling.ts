import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../lib/access.ts'
import type { EventPage } from './webhooks.schema.ts'

export async function pollEvents(_deps: Deps, _caller: Member, _query: object): Promise<Static<typeof EventPage>> {
  throw new Error('TODO')
}
