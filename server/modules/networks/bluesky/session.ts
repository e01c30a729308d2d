import type { AtpAgent, AtpSessionData } from '@atproto/api'
import type { Deps } from '../../../lib/deps.ts'
import type { OpenAccount } from '../network-account.ts'
import { isUnauthorized, renewalCode, toFault } from './errors.ts'
import { loadLibrary, type Methods, methodsOf } from './library.ts'
import { signInMethods } from './sign-in/methods.ts'

/** `pds`: the server with the account's records, if it is not the service. */
export type Credentials = {
  service: string
  handle: string
  app_password: string
  session?: AtpSessionData
  pds?: string
}

/** Whether the saved session of an account is known to have expired. */
export const hasExpired = ({ account }: OpenAccount, now: Date) =>
  account.credentials !== null && isExpired(JSON.parse(account.credentials), now)

/** The access token, a JWT, has the time until which it is valid. */
function isExpired({ session }: Credentials, now: Date) {
  const claims = Buffer.from(session?.accessJwt.split('.')[1] ?? '', 'base64url').toString()
  const expiry = Number(/"exp":\s*(\d+)/.exec(claims)?.[1])
  return expiry * 1000 <= now.getTime()
}

export async function logIn(deps: Deps, { service, handle, app_password }: Credentials): Promise<AtpAgent> {
  const { AtpAgent: Agent } = await loadLibrary()
  const agent = new Agent({ service, fetch: deps.safeFetch })
  await agent.login({ identifier: handle, password: app_password })
  return agent
}

/** The methods with the saved session, which is not renewed. Undefined if it is known to have expired. */
async function currentMethods(deps: Deps, credentials: Credentials): Promise<Methods | undefined> {
  const { service, session, pds } = credentials
  if (!session || isExpired(credentials, deps.clock.now())) return
  return methodsOf((path, init) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${session.accessJwt}`)
    return deps.safeFetch(new URL(path, pds ?? service), { ...init, headers })
  })
}

/** Makes an agent with the saved session, without a call. The library renews it when the server asks for it. */
async function resume(deps: Deps, { service, session, pds }: Credentials): Promise<AtpAgent | undefined> {
  if (!session) return
  const { AtpAgent: Agent } = await loadLibrary()
  const agent = new Agent({ service, fetch: deps.safeFetch })
  agent.sessionManager.session = session
  if (pds) agent.sessionManager.pdsUrl = new URL(pds)
  return agent
}

export const withSession = (credentials: Credentials, agent: AtpAgent): Credentials => ({
  ...credentials,
  ...(agent.session && { session: agent.session }),
  ...(agent.pdsUrl && { pds: agent.pdsUrl.href }),
})

/**
 * Runs `work` with the tokens of a sign-in. If the server rejects them, they are renewed once and `work` runs again: a
 * call with a rejected token has done nothing.
 */
async function withSignIn<T>(deps: Deps, account: OpenAccount, work: (methods: Methods) => Promise<T>): Promise<T> {
  const tokens = await account.tokens()
  try {
    return await work(await signInMethods(deps, tokens))
  } catch (thrown) {
    if (!isUnauthorized(toFault(thrown))) throw thrown
    return work(await signInMethods(deps, await account.tokens(tokens.access_token)))
  }
}

/** Runs `work` as the account, in the way in which it is connected. */
export const withMethods = <T>(deps: Deps, account: OpenAccount, work: (methods: Methods) => Promise<T>): Promise<T> =>
  account.account.credentials === null ? withSignIn(deps, account, work) : withAppPassword(deps, account, work)

/**
 * Runs `work` with the account's session. If the server rejects it, renews it, or else signs in with the app password,
 * and runs `work` again: a call with rejected credentials has done nothing. Renewed sessions are stored.
 */
async function withAppPassword<T>(
  deps: Deps,
  { account, saveCredentials, renewalFailed }: OpenAccount,
  work: (methods: Methods) => Promise<T>,
): Promise<T> {
  const credentials: Credentials = JSON.parse(account.credentials ?? '')
  const unlessRejected = async (methods: Methods | undefined) => {
    try {
      return methods && { result: await work(methods) }
    } catch (thrown) {
      if (!isUnauthorized(toFault(thrown))) throw thrown
    }
  }
  const current = await unlessRejected(await currentMethods(deps, credentials))
  if (current) return current.result
  let agent = await resume(deps, credentials)
  try {
    const renewed = await unlessRejected(agent)
    if (renewed) return renewed.result
    try {
      // Signs in by the DID, because the handle may have changed since.
      const signedIn = await logIn(deps, { ...credentials, handle: account.external_id })
      if (signedIn.session?.did !== account.external_id)
        throw new Error('The server opened a session for another account than the one that signed in.')
      agent = signedIn
    } catch (thrown) {
      const fault = toFault(thrown)
      if (!isUnauthorized(fault)) await renewalFailed({ code: renewalCode(fault), message: fault.message })
      throw thrown
    }
    return await work(agent)
  } finally {
    if (agent?.session && agent.session.accessJwt !== credentials.session?.accessJwt)
      await saveCredentials(JSON.stringify(withSession(credentials, agent)))
  }
}
