import type { AppNS, ComNS } from '@atproto/api'

/** Loaded on first use: it slows down the start, and many instances never need it. */
export const loadLibrary = () => import('@atproto/api')

/** Methods of the protocol, called as an account. */
export type Methods = { com: ComNS; app: AppNS }

/** Sends a request to a path of the account's server. */
type Send = (path: string, init: RequestInit) => Promise<Response>

/** Methods that send through `send`. Making an `AtpAgent` takes milliseconds: it reads all schemas again. */
export async function methodsOf(send: Send): Promise<Methods> {
  const [{ AppNS, ComNS, lexicons }, { XrpcClient }] = await Promise.all([loadLibrary(), import('@atproto/xrpc')])
  const client = new XrpcClient(send, lexicons)
  return { com: new ComNS(client), app: new AppNS(client) }
}
