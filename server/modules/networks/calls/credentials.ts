import { type Check, NetworkFault, type OpenAccount } from '../network.ts'

/** The credentials that this network stored as JSON when the account was connected. */
export function credentialsOf<Credentials>({ account }: OpenAccount): Credentials {
  if (account.credentials === null)
    throw new NetworkFault({ kind: 'unauthorized', message: 'The account has no credentials.' })
  return JSON.parse(account.credentials)
}

/** The result of a harmless call with the stored credentials. */
export async function checkBy(work: () => Promise<unknown>): Promise<Check> {
  try {
    await work()
    return { kind: 'ok' }
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault)) throw thrown
    const { kind, message } = thrown.failure
    return { kind: kind === 'unauthorized' ? kind : 'unavailable', message }
  }
}
