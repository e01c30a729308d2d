import { LRUCache } from 'lru-cache'
import type { Deps } from '../../deps.ts'
import type { Claimed } from './lanes.ts'
import { type Endpoint, openSecrets, sealedColumns } from './secrets.ts'

/** Webhooks with their secrets opened, kept for as long as their version is the one that a claim named. */
export function endpointCache({
  workerDatabase: { db },
  keyring,
  log,
}: Pick<Deps, 'workerDatabase' | 'keyring' | 'log'>) {
  const kept = new LRUCache<string, { version: number; endpoint: Endpoint }>({ max: 10_000 })
  const isKept = ({ webhook_id, version }: Claimed) => kept.get(webhook_id)?.version === version

  /** Reads those that are not kept. One that cannot be opened is left out: what was claimed of it waits for its lease. */
  async function prepare(claimed: Claimed[]) {
    const missing = new Set<string>()
    for (const one of claimed) if (!isKept(one)) missing.add(one.webhook_id)
    if (missing.size === 0) return
    const rows = await db
      .selectFrom('webhook')
      .select([...sealedColumns, 'webhook.version'])
      .where((is) => is('webhook.id', '=', is.fn.any(is.val([...missing]))))
      .execute()
    for (const row of rows)
      try {
        kept.set(row.id, { version: row.version, endpoint: openSecrets(keyring, row) })
      } catch (err) {
        kept.delete(row.id)
        log.error({ err, webhook_id: row.id }, 'the secret of a webhook cannot be opened')
      }
  }

  return { prepare, of: (webhook_id: string) => kept.get(webhook_id)?.endpoint }
}
