import { HOUR } from '../../../../shared/time.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import type { NetworkMetrics } from '../../networks/metrics.ts'
import { NetworkFault } from '../../networks/network.ts'
import type { OpenAccount } from '../../networks/network-account.ts'
import { findNetwork } from '../../networks/registry.ts'
import { accountVersion } from '../accounts.ts'
import { openAccount } from '../open-account.ts'

const inHours = (now: Date, hours: number) => new Date(now.getTime() + hours * HOUR)

/** Whether the numbers of an account can be read now. `later`: when to look again; null: never. */
type MetricsAccess =
  | { kind: 'open'; metrics: NetworkMetrics; opened: OpenAccount }
  | { kind: 'later'; due_at: Date | null }

const readAccount = (db: Db, id: string) =>
  db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'workspace_id')
    .select(['account.id', 'workspace_id', 'network', 'external_id', 'handle', 'credentials', 'status', 'paused_by'])
    .select(['held_until', accountVersion.as('version'), 'workspace.deleted_at as workspace_deleted_at'])
    .where('account.id', '=', id)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()

/** Opens an account to read numbers, unless the network asked to wait or nothing may be called for it. */
export async function openForMetrics(deps: Deps, account_id: string): Promise<MetricsAccess> {
  const now = deps.clock.now()
  const account = await readAccount(deps.db, account_id)
  const metrics = account && findNetwork(account.network)?.metrics
  if (!account || !metrics) return { kind: 'later', due_at: null }
  const { status, paused_by, held_until, workspace_deleted_at, network: _, ...read } = account
  if (status !== 'connected' || paused_by !== null || workspace_deleted_at !== null)
    return { kind: 'later', due_at: inHours(now, 24) }
  if (held_until !== null && held_until > now) return { kind: 'later', due_at: held_until }
  return { kind: 'open', metrics, opened: openAccount(deps, read) }
}

/** Wait after a reading that failed, in hours. Numbers are never worth another post's limit. */
const RETRY_H = { unavailable: 1, unconfirmed: 1, processing: 1, unauthorized: 24, failed: 24 }

/** The changes of a failed reading to its row. Any error but a fault of the network is logged. */
export function failedReading({ clock, log }: Pick<Deps, 'clock' | 'log'>, thrown: unknown) {
  const now = clock.now()
  if (!(thrown instanceof NetworkFault)) {
    log.error({ err: thrown }, 'numbers could not be read')
    return { due_at: inHours(now, RETRY_H.failed), error_code: 'network_unavailable', error_message: null }
  }
  const { failure } = thrown
  const { retry_after_s = 0 } = 'retry_after_s' in failure ? failure : {}
  const wait_ms = Math.max(RETRY_H[failure.kind] * HOUR, Math.min(retry_after_s * 1000, 24 * HOUR))
  return {
    due_at: new Date(now.getTime() + wait_ms),
    error_code: codeOf(failure.kind),
    error_message: sanitizeExternalText(failure.message),
  }
}

const codeOf = (kind: NetworkFault['failure']['kind']) =>
  kind === 'unauthorized' ? 'unauthorized' : kind === 'failed' ? 'rejected_by_network' : 'network_unavailable'
