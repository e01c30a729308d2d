import { readLocalStorageValue } from '@mantine/hooks'
import type { Workspace } from '../../../api'

const keyOf = ({ id }: Pick<Workspace, 'id'>) => `meydan.accounts.${id}`

/** The ids of the accounts that the last post written in this browser was for. */
export const lastAccounts = (workspace: Pick<Workspace, 'id'>): unknown[] => {
  const stored: unknown = readLocalStorageValue({ key: keyOf(workspace) })
  return Array.isArray(stored) ? stored : []
}

export function rememberAccounts(workspace: Pick<Workspace, 'id'>, ids: readonly string[]) {
  try {
    localStorage.setItem(keyOf(workspace), JSON.stringify(ids))
  } catch {
    // The browser stores nothing: the accounts are chosen again.
  }
}
