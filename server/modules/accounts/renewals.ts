import type { Deps } from '../../deps.ts'
import { emit } from '../../events.ts'
import { audit, system } from '../../lib/audit.ts'
import { seal, unseal } from '../../lib/crypto.ts'
import { inTransaction } from '../../lib/database.ts'
import { foreignText } from '../../lib/text.ts'
import { accountColumns, accountVersion, credentialsPlace } from './accounts.ts'
import type { OpenAccount, RenewalFailure } from './networks/network.ts'

/** Failures in a row are told once in this time. */
const QUIET_MS = 3600_000

/** An account as it was read, with its sealed credentials. */
type Read = { id: string; workspace_id: string; credentials: string | null; version: string }

/** What a network is given to tell how renewing a session went. */
export const renewals = (deps: Deps, account: Read): Omit<OpenAccount, 'account'> => ({
  saveCredentials: credentialsKeeper(deps, account),
  renewalFailed: (failure) => noteFailure(deps, account, failure),
})

/** Keeps renewed credentials. Those that the account was given meanwhile are newer, and stay. */
function credentialsKeeper({ db, keyring }: Deps, { id, credentials }: Read) {
  const place = credentialsPlace(id)
  let known = credentials
  return async (renewed: string) => {
    const sealed = seal(keyring, renewed, place)
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
      // The same ones may rest under a newer key by now.
      const row = await db.selectFrom('account').select('credentials').where('id', '=', id).executeTakeFirst()
      const current = row?.credentials ?? null
      isSame =
        known !== null &&
        current !== null &&
        current !== known &&
        unseal(keyring, current, place) === unseal(keyring, known, place)
      if (isSame) known = current
    }
  }
}

/**
 * Tells that a session could not be renewed although the credentials may still be good. One statement decides whether it
 * is told, so that posts which find out together tell it once; a renewal that succeeds ends the run. What was read before
 * the account was connected anew or disconnected tells nothing.
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
    const failure = { error_code: code, error_message: foreignText(message) }
    await emit(tx, 'account.refresh_failed', workspace_id, { account, ...failure }, now)
    await audit(tx, system(workspace_id), 'account.refresh_failed', id, { handle: account.handle, ...failure })
  })
