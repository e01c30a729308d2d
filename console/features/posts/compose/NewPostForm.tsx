import { useQuery } from '@tanstack/react-query'
import type { Account, Post } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import type { Wall } from '../../../ui/text/time-zone'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { emptyDraft, type PostDraft, toDraft } from '../form/form-values'
import { PostEditor } from '../form/PostEditor'
import { nextHour, postQuery } from '../queries'
import { lastChoices } from './last-choices'
import type { KeptChoices } from './usePostSeries'

type Props = {
  /** When the post is published, if the user has chosen it before. */
  at?: Wall | undefined
  account?: string | undefined
  /** The post that is copied; `only`: for some of its accounts, with spaces in between. */
  copy?: string | undefined
  only?: string | undefined
  /** The choices of the post that was written before. */
  kept?: KeptChoices | undefined
  onDraft: (id: string) => void
  onSaved: (post: Post, another: boolean, values: PostDraft) => void
}

/** The form of a new post, once its data is loaded. */
export function NewPostForm({ at, account, copy, only, kept, onDraft, onSaved }: Props) {
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  const startOf = (known: Account[]): PostDraft => {
    const last = lastChoices(workspace)
    if (kept) return { ...emptyDraft(known, kept.accounts), ...kept }
    const when = at ? 'later' : (last.when ?? 'now')
    const time = { when, wall: at ?? (when === 'later' ? nextHour(workspace.timezone) : null) }
    const destinations = only ? known.filter(({ id }) => only.split(' ').includes(id)) : known
    if (original.data) return { ...toDraft(original.data, destinations), ...time }
    return { ...emptyDraft(known, account ? [account] : last.accounts), ...time }
  }
  return (
    <>
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <PostEditor
          start={startOf(accounts.data)}
          at={at}
          accounts={accounts.data}
          networks={networks.data}
          onDraft={onDraft}
          onSaved={onSaved}
        />
      )}
    </>
  )
}
