import { LRUCache } from 'lru-cache'
import type { Deps } from '../../../../lib/deps.ts'
import type { Claimed } from '../queue.ts'
import { type Endpoint, endpointColumns, openSecrets } from './secrets.ts'

export type EndpointCache = ReturnType<typeof createEndpointCache>

/** Keeps webhooks with their decrypted secrets, until a claim names another version of the webhook. */
export function createEndpointCache({
  workerDatabase: { db },
  keyring,
  log,
}: Pick<Deps, 'workerDatabase' | 'keyring' | 'log'>) {
  const kept = new LRUCache<string, { version: number; endpoint: Endpoint }>({ max: 10_000 })
  const isKept = ({ webhook_id, version }: Claimed) => kept.get(webhook_id)?.version === version

  /**
   * Reads the webhooks that are not kept. One whose secret cannot be decrypted is left out, so its deliveries wait for
   * the end of their lease.
   */
  async function prepare(claimed: Claimed[]) {
    const missing = new Set<string>()
    for (const delivery of claimed) if (!isKept(delivery)) missing.add(delivery.webhook_id)
    if (missing.size === 0) return
    const rows = await db
      .selectFrom('webhook')
      .select([...endpointColumns, 'webhook.version'])
      .where((is) => is('webhook.id', '=', is.fn.any(is.val([...missing]))))
      .execute()
    for (const row of rows)
      try {
        kept.set(row.id, { version: row.version, endpoint: openSecrets(keyring, row) })
      } catch (err) {
        kept.delete(row.id)
        log.error({ err, webhook_id: row.id }, 'the secret of a webhook cannot be decrypted')
      }
  }

  return { prepare, get: (webhook_id: string) => kept.get(webhook_id)?.endpoint }
}
