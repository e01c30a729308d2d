import { emit } from '../../events.ts'
import { seal, unseal } from '../../lib/crypto/crypto.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import type { OpenAccount, RenewalFailure } from '../networks/network.ts'
import { accountColumns, accountVersion, credentialsContext, openCredentials } from './accounts.ts'

/** Interval between reports of repeated failures. */
const QUIET_MS = 3600_000

/** Account as it was read, with sealed credentials. */
type Read = {
  id: string
  workspace_id: string
  external_id: string
  handle: string
  credentials: string | null
  version: string
}

/** Opens an account for its network, which reports renewals of its credentials. */
export const openAccount = (deps: Deps, { version, ...account }: Read): OpenAccount => ({
  account: { ...account, credentials: openCredentials(deps, account) },
  saveCredentials: credentialsKeeper(deps, account),
  renewalFailed: (failure) => noteFailure(deps, { ...account, version }, failure),
})

/** Stores renewed credentials, unless the account has newer ones. */
function credentialsKeeper({ db, keyring }: Deps, { id, credentials }: Pick<Read, 'id' | 'credentials'>) {
  const context = credentialsContext(id)
  let known = credentials
  return async (renewed: string) => {
    const sealed = seal(keyring, renewed, context)
    for (let isSame = true; isSame; ) {
      const { numUpdatedRows } = await db
        .updateTable('account')
        .set({ credentials: sealed, refresh_failed_at: null })
        .where('id', '=', id)
        .where('credentials', '=', known)
        .executeTakeFirst()
      if (numUpdatedRows) {
        known = sealed
        return
      }
      // They may be sealed with a newer key by now.
      const row = await db.selectFrom('account').select('credentials').where('id', '=', id).executeTakeFirst()
      const current = row?.credentials ?? null
      isSame =
        known !== null &&
        current !== null &&
        current !== known &&
        unseal(keyring, current, context) === unseal(keyring, known, context)
      if (isSame) known = current
    }
  }
}

/**
 * Reports that a session could not be renewed, though the credentials may be good. One atomic statement decides, so
 * concurrent posts report it once. A later renewal resets this. Ignored if the account was reconnected or disconnected
 * since it was read.
 */
const noteFailure = ({ db, clock }: Deps, { id, workspace_id, version }: Read, { code, message }: RenewalFailure) =>
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
    await emit(tx, 'account.refresh_failed', workspace_id, { account, ...failure }, now)
    await audit(tx, system(workspace_id), 'account.refresh_failed', id, { handle: account.handle, ...failure })
  })
