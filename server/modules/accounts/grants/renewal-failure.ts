import { HOUR } from '../../../../shared/time.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import type { RenewalFailure } from '../../networks/network-account.ts'
import { accountEvents } from '../accounts.events.ts'
import { accountColumns, accountVersion } from '../accounts.ts'

/** Interval between reports of repeated failures. */
const QUIET_MS = HOUR

/**
 * Reports that a session could not be renewed, though the credentials may be good. One atomic statement decides, so
 * concurrent posts report it once. A later renewal resets this. Ignored if the account was reconnected or disconnected
 * since it was read.
 */
export const noteFailure = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, workspace_id, version }: { id: string; workspace_id: string; version: string },
  { code, message }: RenewalFailure,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const account = await tx
      .updateTable('account')
      .set({ refresh_failed_at: now })
      .where('id', '=', id)
      .where('status', '=', 'connected')
      .where(accountVersion, '=', version)
      .where((where) =>
        where.or([
          where('refresh_failed_at', 'is', null),
          where('refresh_failed_at', '<=', new Date(now.getTime() - QUIET_MS)),
        ]),
      )
      .returning(accountColumns)
      .executeTakeFirst()
    if (!account) return
    const failure = { error_code: code, error_message: sanitizeExternalText(message) }
    await emit(tx, accountEvents['account.refresh_failed'], workspace_id, { account, ...failure }, now)
    await audit(tx, system(workspace_id), 'account.refresh_failed', id, { handle: account.handle, ...failure })
  })
