import { LRUCache } from 'lru-cache'
import { MINUTE } from '../../../shared/time.ts'
import { notFound, problem } from '../../errors.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { quoted, sanitizeExternalText } from '../../lib/text.ts'
import { type Mentionable, type MentionSearch, NetworkFault } from '../networks/network.ts'
import type { OpenAccount } from '../networks/network-account.ts'
import { networkOf } from '../networks/registry.ts'
import { accountVersion } from './accounts.ts'
import { openAccount } from './open-account.ts'

const [MAX, MAX_TEXT] = [10, 400]
/** Somebody is writing and waits for it. */
const TIMEOUT_MS = 5000
const KEPT_MS = 5 * MINUTE

const problemOf = ({ failure: { kind, message } }: NetworkFault) =>
  problem(kind === 'unauthorized' ? 'account_refused' : 'account_unreachable', {
    detail: sanitizeExternalText(message),
  })

async function ask(deps: Deps, { find }: MentionSearch, account: OpenAccount, query: string): Promise<Mentionable[]> {
  try {
    const found = await find(deps, account, { query, max: MAX, timeoutMs: TIMEOUT_MS })
    return found
      .filter(({ text }) => text.length <= MAX_TEXT)
      .slice(0, MAX)
      .map(({ name, handle, text }) => ({ name: quoted(name, 100), handle: handle.slice(0, 253), text }))
  } catch (thrown) {
    throw thrown instanceof NetworkFault ? problemOf(thrown) : thrown
  }
}

/** Asks networks for whom a post can mention. Each node keeps the latest responses for a short time. `count`: limits the calls. */
export function createMentionSearch(deps: Deps) {
  const kept = new LRUCache<string, Mentionable[]>({ max: 500, ttl: KEPT_MS })
  return async (
    { workspace_id }: Member,
    id: string,
    given: string,
    count: (by: MentionSearch['by']) => void,
  ): Promise<Mentionable[]> => {
    const account = await deps.db
      .selectFrom('account')
      .select(['network', 'external_id', 'handle', 'credentials', 'status', 'held_until', accountVersion.as('version')])
      .where('id', '=', id)
      .where('workspace_id', '=', workspace_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!account) throw notFound()
    const { mentions } = networkOf(account)
    if (!mentions) throw problem('not_supported_by_network')
    count(mentions.by)
    const { external_id, handle, credentials, status, held_until, version } = account
    if (status !== 'connected') throw problem('account_refused', { detail: 'The account must be connected again.' })
    const query = given.trim().replace(/^@/, '')
    if (query === '') return []
    const key = `${id} ${version} ${query.toLowerCase()}`
    const known = kept.get(key)
    if (known) return known
    if (held_until && held_until > deps.clock.now())
      throw problem('account_unreachable', { detail: 'The network asked to wait before the next call.' })
    const found = await ask(
      deps,
      mentions,
      openAccount(deps, { id, workspace_id, external_id, handle, credentials, version }),
      query,
    )
    kept.set(key, found)
    return found
  }
}
