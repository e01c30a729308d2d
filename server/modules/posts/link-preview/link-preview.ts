import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { thumbnailOf } from '../../media/files/client/prepare.ts'
import { readLinkCard } from '../../networks/text/link-card.ts'
import type { LinkPreview } from './link-preview.schema.ts'

/** Time for which a page is not read again. */
const KEPT_MS = 5 * MINUTE

type Card = Static<typeof LinkPreview>['card']

async function readCard(deps: Deps, { workspace_id }: Member, url: string): Promise<Card> {
  const card = await readLinkCard(deps, url, (bytes) => thumbnailOf(deps, workspace_id, bytes))
  if (!card) return null
  const { title, description, image } = card
  return { title, description, image: image && `data:image/webp;base64,${image.toString('base64')}` }
}

/** Reads cards of pages as networks show them. Each node keeps the latest for a short time. */
export function createLinkPreviews(deps: Deps) {
  const cards = new LRUCache<string, Promise<Card>>({ max: 200, ttl: KEPT_MS })
  return async (caller: Member, url: string): Promise<Static<typeof LinkPreview>> => {
    const known = cards.get(url)
    const card = known ?? readCard(deps, caller, url)
    if (!known) cards.set(url, card)
    return { card: await card }
  }
}
