import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { Problem } from '../../../errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member, User } from '../../../lib/http/access.ts'
import { atLeast, type Role } from '../../../lib/http/roles.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { type AppKey, callbackKey, noteAppRefusal, redirectUri } from '../../networks/apps/apps.ts'
import { authorizationServerAt, findAppOfSignIn } from '../../networks/apps/server-apps.ts'
import { NetworkFault } from '../../networks/network.ts'
import type { AuthorizationServer, OAuthApp } from '../../networks/oauth/provider.ts'
import { isGranted } from '../../networks/oauth/scopes.ts'
import { exchangeCode } from '../../networks/oauth/token-requests.ts'
import { TokenRefusal } from '../../networks/oauth/token-response.ts'
import type { Tokens } from '../../networks/oauth/tokens.ts'
import { storeChosen, withAvatars } from './choice.ts'
import type { FailureCode, Returned } from './connections.schema.ts'
import { openSecrets } from './connections.ts'
import { type Pending, sealPending } from './pending.ts'

/**
 * Parameters of the callback. `key`: names the server that has this address; undefined for networks with one server.
 */
export type Return = Static<typeof Returned> & { key?: string }

/** Accounts that one sign-in offers. */
const MAX_CANDIDATES = 500
/** Time to choose among several accounts. */
const CHOICE_MS = 30 * MINUTE

class SignInFailure extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string) {
    super(sanitizeExternalText(message))
    this.code = code
  }
}

/**
 * Takes the sign-in that this state began. It works once, in time, and for the user in whose session it began: otherwise
 * somebody could make others connect a foreign account.
 */
const takeConnection = ({ db, clock }: Deps, { user_id, session_id }: User, state: string) =>
  db
    .updateTable('account_connection')
    .set({ state_hash: null })
    .where('state_hash', '=', sha256(state))
    .where('user_id', '=', user_id)
    .where((where) => where.or([where('session_id', 'is', null), where('session_id', '=', session_id)]))
    .where('expires_at', '>', clock.now())
    .where('status', '=', 'waiting')
    .returning(['id', 'workspace_id', 'network', 'server', 'server_app_id', 'with_own_app', 'client_id_hash'])
    .returning(['names_issuer', 'code_verifier', 'binding'])
    .executeTakeFirst()

type Taken = NonNullable<Awaited<ReturnType<typeof takeConnection>>>

/** The app of a sign-in, on which its acceptance is noted. */
const appKeyOf = ({ network, workspace_id, with_own_app }: Taken): AppKey => ({
  network,
  workspace_id: with_own_app ? workspace_id : null,
})

/** The user as a member who may connect accounts. A role can have been taken away since the sign-in began. */
async function asMember({ db }: Deps, user: User, { workspace_id }: Taken): Promise<Member> {
  const membership = await db
    .selectFrom('workspace_member')
    .select('role')
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', user.user_id)
    .executeTakeFirst()
  const role: Role = membership?.role ?? 'viewer'
  if (!atLeast(role, 'editor'))
    throw new SignInFailure('not_allowed', 'Your role no longer allows to connect accounts.')
  return { ...user, workspace_id, role }
}

/** Refuses what another server than that of the sign-in may have sent (RFC 9207; RFC 9700, section 4.4.2). */
function assertSender({ server, names_issuer }: Taken, { key, iss }: Return) {
  const isOfServer = server === null ? key === undefined : key === callbackKey(server)
  const isIssuer = server === null || (iss === undefined ? !names_issuer : iss.replace(/\/$/, '') === server)
  if (!isOfServer || !isIssuer)
    throw new SignInFailure('refused', 'Another server sent the browser back than the one of this sign-in.')
}

function assertGranted({ scopes }: AuthorizationServer, { scopes: granted }: Tokens) {
  const missing = scopes.publish.filter((scope) => granted !== null && !isGranted(granted, scope))
  if (missing.length > 0)
    throw new SignInFailure('scopes_missing', `These permissions were not granted: ${missing.join(', ')}.`)
}

/** Exchanges the code of a sign-in for tokens, and lists the accounts that they can publish to. */
async function redeemCode(
  deps: Deps,
  provider: AuthorizationServer,
  app: OAuthApp,
  taken: Taken,
  { code = '', error, error_description }: Return,
): Promise<Pending> {
  if (error !== undefined)
    throw new SignInFailure(
      error === 'access_denied' || error === 'user_cancelled_login' ? 'denied' : 'refused',
      error_description ?? error,
    )
  if (code === '') throw new SignInFailure('refused', 'The network returned no code.')
  const first = await exchangeCode(deps, provider, app, {
    code,
    redirect_uri: redirectUri(deps, taken.server),
    ...openSecrets(deps, taken),
  })
  const extended = await provider.extend?.(deps, app, first)
  const tokens = extended ? { ...extended, scopes: extended.scopes ?? first.scopes } : first
  assertGranted(provider, tokens)
  const listed = await provider.candidates(deps, tokens)
  // A network may list an account once for each role, or a page of its list again.
  const byId = new Map(listed.map((candidate) => [candidate.external_id, candidate]))
  const candidates = [...byId.values()].slice(0, MAX_CANDIDATES)
  if (candidates.length === 0)
    throw new SignInFailure('no_account', 'The network returned no account that Meydan could publish to.')
  const external_user_id = (await provider.externalUserId?.(deps, tokens)) ?? null
  return { tokens, client_id: app.client_id, external_user_id, candidates }
}

async function complete(deps: Deps, user: User, taken: Taken, returned: Return) {
  const { id, network, server, with_own_app, server_app_id } = taken
  const provider = authorizationServerAt(taken)
  assertSender(taken, returned)
  const app = await findAppOfSignIn(deps, taken)
  if (!app)
    throw new SignInFailure(
      'app_changed',
      'The app with which this sign-in began was changed or deleted before it was completed. Sign in again.',
    )
  const pending = await redeemCode(deps, provider, app, taken, returned)
  await noteAppRefusal(deps, appKeyOf(taken), null)
  // Here, because the role can have changed during the calls of the network.
  const caller = await asMember(deps, user, taken)
  if (pending.candidates.length > 1) {
    await deps.db
      .updateTable('account_connection')
      .set({
        status: 'choose',
        pending: sealPending(deps, id, pending),
        external_user_id: pending.external_user_id,
        code_verifier: null,
        binding: null,
        expires_at: new Date(deps.clock.now().getTime() + CHOICE_MS),
      })
      .where('id', '=', id)
      .execute()
    return
  }
  const chosen = await withAvatars(deps, caller, pending.candidates)
  await inTransaction(deps.db, (tx) =>
    storeChosen(tx, deps, caller, { id, network, server, with_own_app, server_app_id, ...pending }, chosen),
  )
}

/** The reason of a sign-in that failed, as its page shows it. */
function failureOf(deps: Deps, { server }: Taken, thrown: unknown): Pick<SignInFailure, 'code' | 'message'> {
  if (thrown instanceof SignInFailure) return thrown
  if (thrown instanceof TokenRefusal) {
    // The next sign-in registers another app at a server.
    const app = server === null ? 'app_refused' : 'app_forgotten'
    const codes = { grant: 'refused', app, unavailable: 'unreachable' } as const
    return new SignInFailure(codes[thrown.refused], thrown.message)
  }
  if (thrown instanceof NetworkFault) {
    const { kind, message } = thrown.failure
    if (thrown.failure.kind === 'failed' && thrown.failure.code === 'no_account')
      return new SignInFailure('no_account', message)
    return new SignInFailure(kind === 'failed' || kind === 'unauthorized' ? 'refused' : 'unreachable', message)
  }
  if (thrown instanceof Problem) return new SignInFailure('not_allowed', thrown.message)
  deps.log.error({ err: thrown }, 'a sign-in at a network failed unexpectedly')
  return new SignInFailure('refused', 'An unexpected error stopped the sign-in. The log of Meydan has its details.')
}

/** Completes a sign-in. Returns the path of the console's page for it. */
export async function returnFromNetwork(deps: Deps, user: User | undefined, returned: Return): Promise<string> {
  const connection = user && (await takeConnection(deps, user, returned.state ?? ''))
  if (!connection) return '/connection-ended'
  const { id, workspace_id } = connection
  try {
    await complete(deps, user, connection, returned)
  } catch (thrown) {
    const { code, message } = failureOf(deps, connection, thrown)
    if (code === 'app_refused')
      await noteAppRefusal(deps, appKeyOf(connection), { at: deps.clock.now(), reason: message })
    await deps.db
      .updateTable('account_connection')
      .set({
        status: 'failed',
        error_code: code,
        error_message: message,
        code_verifier: null,
        binding: null,
        pending: null,
      })
      .where('id', '=', id)
      .execute()
  }
  const workspace = await deps.db
    .selectFrom('workspace')
    .select('slug')
    .where('id', '=', workspace_id)
    .executeTakeFirst()
  return workspace ? `/w/${workspace.slug}/accounts?connection=${id}` : '/connection-ended'
}
