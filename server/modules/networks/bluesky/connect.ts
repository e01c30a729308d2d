import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { connectProblem } from '../calls/connect-problem.ts'
import type { Check, ConnectedAccount, OpenAccount } from '../network.ts'
import { isUnauthorized, signInProblem, toFault } from './errors.ts'
import { type Credentials, hasExpired, loadLibrary, logIn, withAgent, withSession } from './session.ts'

export const DEFAULT_SERVICE = 'https://bsky.social'

/** Signs in with the values of the form. */
export async function connect(
  deps: Deps,
  { service = DEFAULT_SERVICE, handle = '', app_password = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const refused = refusedUrl(service, deps.urlRules)
  if (refused) throw connectProblem('/service', 'url_not_allowed', refused)
  const identifier = handle.trim().replace(/^@/, '')
  if (!/^[A-Za-z0-9][A-Za-z0-9.:-]{1,250}$/.test(identifier))
    throw invalid('/handle', 'This is not a handle such as name.bsky.social.')
  const credentials: Credentials = { service, handle: identifier, app_password }
  try {
    const agent = await logIn(deps, credentials)
    const { session } = agent
    if (!session) throw new Error('The service returned no session')
    if (!/^did:[a-z]+:[\w.:%-]{1,200}$/.test(session.did) || !/^[\w.-]{1,253}$/.test(session.handle))
      throw new Error('The service returned an invalid id or handle')
    return {
      external_id: session.did,
      name: session.handle,
      handle: session.handle,
      url: `https://bsky.app/profile/${session.did}`,
      credentials: JSON.stringify(withSession(credentials, agent)),
    }
  } catch (thrown) {
    throw signInProblem(toFault(thrown), thrown)
  }
}

export async function check(deps: Deps, account: OpenAccount): Promise<Check> {
  try {
    const { data } = await withAgent(deps, account, (agent) => agent.com.atproto.server.getSession())
    return data.active === false
      ? { kind: 'unauthorized', message: `The account is not active: ${data.status ?? 'no reason given'}` }
      : { kind: 'ok', handle: data.handle }
  } catch (thrown) {
    const fault = toFault(thrown)
    return { kind: isUnauthorized(fault) ? 'unauthorized' : 'unavailable', message: fault.message }
  }
}

/** Loads the library, which the first post would wait for, and renews a session that has expired. */
export async function prepare(deps: Deps, account: OpenAccount) {
  await loadLibrary()
  if (hasExpired(account, deps.clock.now())) await check(deps, account)
}
