import { readLocalStorageValue } from '@mantine/hooks'
import type { Workspace } from '../../../api'
import { type PostDraft, publishModes } from '../form/form-values'

type Choices = Pick<PostDraft, 'accounts' | 'when'>

const keyOf = ({ id }: Pick<Workspace, 'id'>) => `meydan.choices.${id}`

/** The accounts and the way of publishing of the last post that was written in this browser. */
export function lastChoices(workspace: Pick<Workspace, 'id'>) {
  const stored = readLocalStorageValue<Partial<Record<keyof Choices, unknown>> | null>({ key: keyOf(workspace) })
  return {
    accounts: Array.isArray(stored?.accounts) ? (stored.accounts as unknown[]) : [],
    when: publishModes.find((mode) => mode === stored?.when),
  }
}

export function rememberChoices(workspace: Pick<Workspace, 'id'>, { accounts, when }: Choices) {
  try {
    localStorage.setItem(keyOf(workspace), JSON.stringify({ accounts, when }))
  } catch {
    // The browser stores nothing: they are chosen again.
  }
}
