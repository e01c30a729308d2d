import { hasContent, type PostDestination, type PostDraft } from './form-values'

type Signer = Pick<PostDestination, 'id' | 'signature'>

const withSignature = (content: string, signature: string) =>
  content.trim() === '' ? signature : `${content.trimEnd()}\n\n${signature}`

/** Whether the version of an account is the text for all accounts with its signature, and nothing else. */
export const isSigned = ({ content, own }: PostDraft, { id, signature }: Signer) =>
  signature !== null && own[id]?.content === withSignature(content, signature)

/** The versions of accounts, without the text of one. */
export function withoutText(own: PostDraft['own'], id: string): PostDraft['own'] {
  const { [id]: version = {}, ...others } = own
  const { content: _, ...kept } = version
  return Object.keys(kept).length > 0 ? { ...others, [id]: kept } : others
}

type Choices = {
  accounts: readonly Signer[]
  /** Whether signatures are added, as to a new post. */
  adds: boolean
  /** Whether an account gets its signature: the user has not left it out, and its network takes texts. */
  maySign: (id: string, after: PostDraft) => boolean
}

/**
 * The versions of accounts after a change. Signed ones follow the text for all accounts. A new post is signed with its
 * first content, so that an empty one stays empty.
 */
export function signAfter(before: PostDraft, after: PostDraft, { accounts, adds, maySign }: Choices) {
  const signed = accounts.filter((account) => isSigned({ ...before, own: after.own }, account))
  const isEmpty = !hasContent({ ...after, own: signed.reduce((own, { id }) => withoutText(own, id), after.own) })
  let own = after.own
  for (const account of accounts) {
    const { id, signature } = account
    if (signature === null) continue
    const wasSigned = signed.includes(account)
    const isNew = adds && own[id]?.content === undefined && after.accounts.includes(id)
    if (wasSigned && ((adds && isEmpty) || !maySign(id, after))) own = withoutText(own, id)
    else if (wasSigned || (isNew && !isEmpty && maySign(id, after))) {
      const content = withSignature(after.content, signature)
      if (own[id]?.content !== content) own = { ...own, [id]: { ...own[id], content } }
    }
  }
  return own
}
