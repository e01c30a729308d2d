import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { fieldsOf, ifAvailable } from '../calls/call.ts'
import { addressProblem } from '../calls/connect-problem.ts'
import type { Check } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { isUnauthorized, networkFault, signInProblem, toFault } from './errors.ts'
import { loadLibrary, type Methods } from './library.ts'
import { type Credentials, hasExpired, logIn, withMethods, withSession } from './session.ts'
import { bindingOf } from './sign-in/binding.ts'
import { signInMethods } from './sign-in/methods.ts'

export const DEFAULT_SERVICE = 'https://bsky.social'

/** The name and the image of the profile, both from the server of the account. Many accounts have no profile. */
async function profileOf(methods: Methods, did: string, pds: string | URL) {
  const { BlobRef } = await loadLibrary()
  const name = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' }
  const profile = await ifAvailable(async () => {
    try {
      return fieldsOf((await methods.com.atproto.repo.getRecord(name)).data.value)
    } catch (thrown) {
      throw networkFault(thrown)
    }
  })
  const { avatar, displayName } = profile ?? {}
  const cid = avatar instanceof BlobRef ? avatar.ref.toString() : undefined
  const query = new URLSearchParams({ did, cid: cid ?? '' })
  return {
    name: typeof displayName === 'string' ? displayName : '',
    ...(cid !== undefined && {
      avatar: { url: new URL(`/xrpc/com.atproto.sync.getBlob?${query}`, pds).href },
    }),
  }
}

async function describe(methods: Methods, { did, handle }: { did: string; handle: string }, pds: string | URL) {
  if (!/^did:[a-z]+:[\w.:%-]{1,200}$/.test(did) || !/^[\w.-]{1,253}$/.test(handle))
    throw new Error('The service returned an invalid id or handle')
  const { name, avatar } = await profileOf(methods, did, pds)
  return { external_id: did, name, handle, url: `https://bsky.app/profile/${did}`, avatar }
}

/** The account of a sign-in. It uses tokens in place of credentials. Throws a `NetworkFault`. */
export async function ownAccount(deps: Deps, tokens: Tokens): Promise<ConnectedAccount> {
  const { did, pds } = bindingOf(tokens)
  try {
    const methods = await signInMethods(deps, tokens)
    const { data } = await methods.com.atproto.server.getSession()
    return { ...(await describe(methods, { did, handle: data.handle }, pds)), credentials: null }
  } catch (thrown) {
    throw networkFault(thrown)
  }
}

/** Signs in with the values of the form. */
export async function connect(
  deps: Deps,
  { service = DEFAULT_SERVICE, handle = '', app_password = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const refused = refusedUrl(service, deps.urlRules)
  if (refused) throw addressProblem('/service', refused)
  const identifier = handle.trim().replace(/^@/, '')
  if (!/^[A-Za-z0-9][A-Za-z0-9.:-]{1,250}$/.test(identifier))
    throw invalid('/handle', {
      en: 'This is not a handle such as name.bsky.social.',
      tr: 'Bu, ad.bsky.social gibi bir kullanıcı adı değil.',
    })
  const credentials: Credentials = { service, handle: identifier, app_password }
  try {
    const agent = await logIn(deps, credentials)
    const { session } = agent
    if (!session) throw new Error('The service returned no session')
    const account = await describe(agent, session, agent.pdsUrl ?? agent.serviceUrl)
    return { ...account, credentials: JSON.stringify(withSession(credentials, agent)) }
  } catch (thrown) {
    throw signInProblem(toFault(thrown), thrown)
  }
}

export async function check(deps: Deps, account: OpenAccount): Promise<Check> {
  try {
    const { data } = await withMethods(deps, account, (methods) => methods.com.atproto.server.getSession())
    return data.active === false
      ? { kind: 'unauthorized', message: `The account is not active: ${data.status ?? 'no reason given'}` }
      : { kind: 'ok', handle: data.handle }
  } catch (thrown) {
    const fault = toFault(thrown)
    return { kind: isUnauthorized(fault) ? 'unauthorized' : 'unavailable', message: fault.message }
  }
}

/** Loads the library, which the first post would wait for, and renews a session that has expired. */
export async function renewSession(deps: Deps, account: OpenAccount) {
  await loadLibrary()
  if (account.account.credentials === null) await account.tokens()
  else if (hasExpired(account, deps.clock.now())) await check(deps, account)
}
