import { seal, unseal } from '../../lib/crypto/crypto.ts'
import type { Deps } from '../../lib/deps.ts'
import type { OpenAccount } from '../networks/network-account.ts'
import { credentialsContext, openCredentials } from './accounts.ts'
import { liveTokens } from './grants/renewal.ts'
import { noteFailure } from './grants/renewal-failure.ts'

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
  accessToken: async (rejected) => (await liveTokens(deps, account.id, rejected)).access_token,
  tokens: (rejected) => liveTokens(deps, account.id, rejected),
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
