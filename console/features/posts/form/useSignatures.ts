import { useRef, useState } from 'react'
import type { Network } from '../../../api'
import { capabilitiesOf } from '../../networks/characters'
import type { PostDraftMachine } from './draft/post-draft'
import { hasContent, type PostDestination, type PostDraft } from './form-values'
import { isSigned, signAfter, withoutText } from './signatures'

export type Signatures = {
  /** The accounts whose version ends with their signature. */
  signed: PostDestination[]
  leaveOut: () => void
}

/** Changes a post so that new ones get the signatures of their accounts, until the user leaves them out. */
export function useSignatures(draft: PostDraftMachine, accounts: readonly PostDestination[], networks: Network[]) {
  const { values, post } = draft.get()
  /** A copy of a post keeps its texts as they are. */
  const [adds] = useState(() => post === undefined && !hasContent(values))
  const leftOut = useRef(new Set<string>())
  const maySign = (id: string, { options }: PostDraft) => {
    const account = accounts.find((one) => one.id === id)
    const rules = account && capabilitiesOf({ ...account, options: options[id] ?? {} }, networks)
    return !leftOut.current.has(id) && rules?.max_length !== 0
  }
  const edit = (change: Partial<PostDraft>) => {
    const before = draft.get().values
    const after = { ...before, ...change }
    for (const account of accounts)
      if (isSigned(before, account) && after.own[account.id]?.content === undefined) leftOut.current.add(account.id)
    const own = signAfter(before, after, { accounts, adds, maySign })
    draft.edit(own === before.own ? change : { ...change, own })
  }
  const signed = accounts.filter((account) => values.accounts.includes(account.id) && isSigned(values, account))
  const leaveOut = () => edit({ own: signed.reduce((own, { id }) => withoutText(own, id), values.own) })
  return { edit, signatures: { signed, leaveOut } }
}
