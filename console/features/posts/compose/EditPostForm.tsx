import { useQuery } from '@tanstack/react-query'
import type { Post } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import type { Wall } from '../../../ui/text/time-zone'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import type { PostDraft } from '../form/form-values'
import { PostEditor } from '../form/PostEditor'
import { usePermissions } from '../PostActions'
import { postQuery, postVersionQuery } from '../queries'

type Props = {
  id: string
  /** When the post is published, if the user has chosen it before. */
  at?: Wall | undefined
  /** Whether the form is in the panel over the calendar. */
  inPanel?: boolean
  onSaved: (post: Post, another: boolean, values: PostDraft) => void
}

/** The form of an existing post, once its data is loaded. */
export function EditPostForm({ id, ...props }: Props) {
  const { slug } = useWorkspace()
  const permissions = usePermissions()
  const accounts = useQuery(accountsQuery(slug))
  const networks = useNetworks()
  const post = useQuery(postQuery(slug, id))
  const opened = useQuery(postVersionQuery(slug, id))
  const error = accounts.error ?? networks.error ?? post.error ?? opened.error
  const ready = accounts.data && networks.data && post.data && opened.data
  if (post.data && !permissions(post.data).own) return <RoleRequired needs="editor" />
  return (
    <>
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <PostEditor opened={opened.data} accounts={accounts.data} networks={networks.data} {...props} />}
    </>
  )
}
