import type { Deps } from '../../../lib/deps.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { networkFault, toFault } from './errors.ts'
import type { Methods } from './library.ts'
import type { Ref } from './record.ts'
import { withMethods } from './session.ts'

/** Calls the server of the account. Throws a `NetworkFault`. */
export async function callServer<T>(deps: Deps, account: OpenAccount, work: (methods: Methods) => Promise<T>) {
  try {
    return await withMethods(deps, account, work)
  } catch (thrown) {
    throw networkFault(thrown)
  }
}

type Name = { collection: string; rkey: string }

/** Accepts a response that is about the requested record. Another one leaves open what became of it. */
function refOf(
  { account }: OpenAccount,
  { collection, rkey }: Name,
  { uri, cid }: { uri: string; cid?: string | undefined },
): Ref {
  if (uri === `at://${account.external_id}/${collection}/${rkey}` && cid !== undefined) return { uri, cid }
  const message = 'The server responded about another record than the one it was asked for.'
  throw new NetworkFault({ kind: 'unconfirmed', message })
}

/**
 * Writes a record. `isNew`: refused if there is another one under its key. The same record again is a success, where
 * `createRecord` is an error of the server.
 */
export const putRecord = (
  deps: Deps,
  account: OpenAccount,
  { collection, rkey, record, isNew }: Name & { record: object; isNew: boolean },
) =>
  callServer(deps, account, async (methods) => {
    const { data } = await methods.com.atproto.repo.putRecord({
      repo: account.account.external_id,
      collection,
      rkey,
      record: { ...record },
      ...(isNew && { swapRecord: null }),
    })
    return refOf(account, { collection, rkey }, data)
  })

export const findRecord = (deps: Deps, account: OpenAccount, name: Name) =>
  callServer(deps, account, async (methods) => {
    try {
      const { data } = await methods.com.atproto.repo.getRecord({ repo: account.account.external_id, ...name })
      return refOf(account, name, data)
    } catch (thrown) {
      const { error, message } = toFault(thrown)
      // Servers use either form.
      if (error === 'RecordNotFound' || /could not locate record/i.test(message)) return 'absent'
      throw thrown
    }
  })

/** Succeeds for a record that does not exist, too. */
export const deleteRecord = (deps: Deps, account: OpenAccount, name: Name) =>
  callServer(deps, account, async (methods) => {
    await methods.com.atproto.repo.deleteRecord({ repo: account.account.external_id, ...name })
  })

/** Whether a record was refused because the server has deleted a file that it names. */
export const isBlobMissing = (thrown: unknown) =>
  thrown instanceof NetworkFault && toFault(thrown.cause).error === 'BlobNotFound'
