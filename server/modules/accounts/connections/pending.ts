import { seal, unseal } from '../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Candidate } from '../../networks/oauth/provider.ts'
import type { Tokens } from '../../networks/oauth/tokens.ts'

/** Result of a sign-in until its owner has chosen accounts. */
export type Pending = {
  tokens: Tokens
  client_id: string
  external_user_id: string | null
  candidates: Candidate[]
}

const contextOf = (id: string) => `account_connection|${id}|pending`

export const sealPending = ({ keyring }: Pick<Deps, 'keyring'>, id: string, pending: Pending) =>
  seal(keyring, JSON.stringify(pending), contextOf(id))

export const openPending = ({ keyring }: Pick<Deps, 'keyring'>, id: string, sealed: string): Pending =>
  JSON.parse(unseal(keyring, sealed, contextOf(id)))
