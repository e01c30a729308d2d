import type { Db } from '../../../../lib/db/database.ts'
import { networkNamed } from '../file/columns.ts'

type NamedAccount = { id: string; network: string; name: string; handle: string }

/** Accounts by what a spreadsheet calls them. */
export type AccountNames = {
  /** An account by its id, handle or name, or by a network that has no other here. */
  find: (name: string) => NamedAccount | 'several' | undefined
  ids: string[]
}

const key = (name: string) => name.normalize('NFC').trim().replace(/^@/, '').toLowerCase()

/** The key under which an import stores the account that somebody chose for a name. */
export const accountNameKey = key

/** `chosen`: ids of accounts by the key of the name that stands for them. */
export async function readAccountNames(
  db: Db,
  workspace_id: string,
  chosen: Readonly<Record<string, string>>,
): Promise<AccountNames> {
  const accounts: NamedAccount[] = await db
    .selectFrom('account')
    .select(['id', 'network', 'name', 'handle'])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const byKey = new Map<string, NamedAccount[]>()
  for (const account of accounts) {
    const keys = new Set([account.id, account.handle, account.name, `${account.network}:${account.handle}`].map(key))
    for (const one of keys) byKey.set(one, [...(byKey.get(one) ?? []), account])
  }
  const only = (found: readonly NamedAccount[]) => (found.length > 1 ? 'several' : found[0])
  const ids = new Map(accounts.map((account) => [account.id, account]))
  return {
    ids: [...ids.keys()],
    find: (name) => {
      const chosenId = Object.hasOwn(chosen, key(name)) ? chosen[key(name)] : undefined
      const account = chosenId === undefined ? undefined : ids.get(chosenId)
      if (account) return account
      const named = only(byKey.get(key(name)) ?? [])
      if (named) return named
      const network = networkNamed(name)
      return network && only(accounts.filter((one) => one.network === network.id))
    },
  }
}
