import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, MINUTE } from '../../../../shared/time.ts'
import { system } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { noteAppRefusal } from '../../networks/apps/apps.ts'
import { authorizationServerAt, findIssuer } from '../../networks/apps/server-apps.ts'
import { NetworkFault } from '../../networks/network.ts'
import { renewTokens } from '../../networks/oauth/token-requests.ts'
import { TokenRefusal } from '../../networks/oauth/token-response.ts'
import type { Tokens } from '../../networks/oauth/tokens.ts'
import { accountVersion, markDisconnected } from '../accounts.ts'
import { endGrant, type Grant, keepTokens, openTokens, postponeRenewal, readGrantOf, takeLease } from './grants.ts'
import { noteFailure } from './renewal-failure.ts'

/** Time until a renewal without a response is tried again. */
const RETRY_MS = 5 * MINUTE
/** The same for a network that refuses the app, which only an admin can change. */
const APP_RETRY_MS = HOUR
/** Times of writing tokens that the database does not take, in milliseconds. Without them the sign-in could be lost. */
const KEEP_DELAYS_MS = [100, 500, 2000, 5000, 10_000]

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Accounts that use a grant, as `noteFailure` and `markDisconnected` need them. */
const accountsOf = ({ db }: Pick<Deps, 'db'>, { id }: Pick<Grant, 'id'>) =>
  db
    .selectFrom('account')
    .select(['id', 'workspace_id', accountVersion.as('version')])
    .where('grant_id', '=', id)
    .where('status', '=', 'connected')
    .orderBy('id')
    .execute()

/** Ends a grant, and disconnects its accounts. Changes nothing if its tokens were renewed meanwhile. */
export const disconnectGrant = (deps: Pick<Deps, 'db' | 'clock'>, grant: Grant, reason: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    if (!(await endGrant(tx, grant, now))) return false
    for (const account of await accountsOf({ db: tx }, grant))
      await markDisconnected(tx, system(account.workspace_id), account, reason, now)
    return true
  })

/** The renewed tokens are the only ones that count, so an outage of the database is waited for. */
async function keepSurely(...input: Parameters<typeof keepTokens>) {
  for (const delay of [...KEEP_DELAYS_MS, null]) {
    try {
      return await keepTokens(...input)
    } catch (thrown) {
      if (delay === null) throw thrown
      await sleep(delay)
    }
  }
}

/** `rejected`: whether the network just refused the access token. */
type Renewal = { rejected?: boolean }

async function requestRenewal(deps: Deps, grant: Grant, { rejected = false }: Renewal): Promise<Tokens> {
  const provider = authorizationServerAt(grant)
  const secrets = openTokens(deps, grant)
  if (!secrets) throw new TokenRefusal('grant', 'The stored sign-in can no longer be decrypted.')
  const app = await findIssuer(deps, grant, secrets.client_id)
  if (!app) throw new TokenRefusal('app', 'The network is no longer set up.')
  if (app.client_id !== secrets.client_id) {
    const isLive = !rejected && grant.expires_at !== null && grant.expires_at > deps.clock.now()
    const message = 'The app with which the account signed in is no longer set up. Sign in again.'
    throw new TokenRefusal(isLive ? 'app' : 'grant', message)
  }
  const { network } = grant
  const key = { network, workspace_id: app.workspace_id }
  const tokens = await renewTokens(deps, provider, app, secrets.tokens).catch(async (thrown: unknown) => {
    if (thrown instanceof TokenRefusal && thrown.refused === 'app')
      await noteAppRefusal(deps, key, { at: deps.clock.now(), reason: thrown.message })
    throw thrown
  })
  const now = deps.clock.now()
  await keepSurely(deps, grant, provider, { tokens, client_id: app.client_id }, now)
  await noteAppRefusal(deps, key, null)
  await deps.db
    .updateTable('account')
    .set({ refresh_failed_at: null })
    .where('grant_id', '=', grant.id)
    .where('refresh_failed_at', 'is not', null)
    .execute()
  return tokens
}

/**
 * Renews the tokens of a grant, on one node at a time. Undefined if another node does. Throws a `NetworkFault`:
 * `unauthorized` once the grant has ended, otherwise `unavailable`.
 */
export async function renewGrant(deps: Deps, grant: Grant, renewal: Renewal = {}): Promise<Tokens | undefined> {
  const { db, clock, timings } = deps
  const begun = clock.now()
  if (!(await takeLease(db, grant, begun, later(begun, timings.renewalLease)))) return
  try {
    return await requestRenewal(deps, grant, renewal)
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown
    const { refused, message } = thrown
    const now = clock.now()
    // A server that has forgotten its app has forgotten the tokens too, and nobody can set the app up again.
    if (refused === 'grant' || (refused === 'app' && grant.server !== null)) {
      if (!(await disconnectGrant(deps, grant, message))) return
      throw new NetworkFault({ kind: 'unauthorized', message }, { cause: thrown })
    }
    await postponeRenewal(db, grant, later(now, refused === 'app' ? APP_RETRY_MS : RETRY_MS))
    const code = refused === 'app' ? 'rejected_by_network' : 'network_unavailable'
    for (const account of await accountsOf(deps, grant)) await noteFailure(deps, account, { code, message })
    throw new NetworkFault({ kind: 'unavailable', message }, { cause: thrown })
  }
}

/**
 * Returns tokens of an account whose access token is accepted as far as known. `rejected`: a token that the network just
 * refused. Throws a `NetworkFault`.
 */
export async function liveTokens(deps: Deps, account_id: string, rejected?: string): Promise<Tokens> {
  const { renewalWait, renewalPoll } = deps.timings
  const deadline = performance.now() + renewalWait
  for (;;) {
    const grant = await readGrantOf(deps.db, account_id)
    const tokens = grant && !grant.ended_at ? openTokens(deps, grant)?.tokens : undefined
    if (!grant || !tokens)
      throw new NetworkFault({ kind: 'unauthorized', message: 'The sign-in at the network has ended.' })
    const { access_token } = tokens
    const isLive = grant.expires_at === null || grant.expires_at > deps.clock.now()
    if (isLive && access_token !== rejected) return tokens
    const renewed = await renewGrant(deps, grant, { rejected: access_token === rejected })
    if (renewed) return renewed
    if (performance.now() > deadline)
      throw new NetworkFault({ kind: 'unavailable', message: 'The sign-in is still being renewed.' })
    await sleep(renewalPoll)
  }
}
