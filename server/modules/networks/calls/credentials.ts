import { type Check, NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'

/** The credentials that this network stored as JSON when the account was connected. */
export function credentialsOf<Credentials>({ account }: OpenAccount): Credentials {
  if (account.credentials === null)
    throw new NetworkFault({ kind: 'unauthorized', message: 'The account has no credentials.' })
  return JSON.parse(account.credentials)
}

type Found = Omit<Extract<Check, { kind: 'ok' }>, 'kind'>

/** The result of harmless calls with the stored credentials. They return what the network reports of the account. */
export async function checkBy(work: () => Promise<Found>): Promise<Check> {
  try {
    return { kind: 'ok', ...(await work()) }
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault)) throw thrown
    const { kind, message } = thrown.failure
    return { kind: kind === 'unauthorized' ? kind : 'unavailable', message }
  }
}
