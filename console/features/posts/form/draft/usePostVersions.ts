import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Post, queryClient } from '../../../../api'
import { useWorkspace } from '../../../workspaces/queries'
import { type LoadedPost, postQuery, postVersionQuery, showPost } from '../../queries'
import type { PostDraft } from '../form-values'
import { type DraftPart, isSamePart, mergeDrafts, takePart } from './merge'

const isEditable = ({ status }: Post) => ['draft', 'scheduled', 'failed'].includes(status)

/** Changes of another user since the form was opened. */
export type PostConflict = {
  /** The version of the other user. */
  theirs: Post
  theirDraft: PostDraft
  /** The parts that both changed and that the user has not decided on. */
  open: DraftPart[]
  /** The parts that the form took over. */
  taken: DraftPart[]
}

/**
 * Follows the versions of a post while its form is open. The form takes over what only the other user changed, and
 * asks about what both changed. So a save replaces nothing that the user has not seen. A new post has no version
 * before it is saved.
 */
export function usePostVersions(
  form: UseFormReturnType<PostDraft>,
  opened: LoadedPost | undefined,
  toValues: (post: Post) => PostDraft,
) {
  const { slug } = useWorkspace()
  const [base, setBase] = useState(opened)
  const [conflict, setConflict] = useState<PostConflict>()
  const [start] = useState(() => (opened ? toValues(opened.record) : form.getValues()))
  /** The same for calls that began earlier. `stored`: the values of the form that the server has. */
  const latest = useRef({ base, conflict, stored: start })
  const post = useQuery({ ...postQuery(slug, base?.record.id ?? ''), enabled: base !== undefined }).data ?? base?.record
  const id = post?.id

  const rebase = (version: LoadedPost, stored: PostDraft) => {
    latest.current = { ...latest.current, base: version, stored }
    setBase(version)
  }
  const show = (found: PostConflict | undefined) => {
    const shown = found && found.open.length + found.taken.length > 0 ? found : undefined
    latest.current = { ...latest.current, conflict: shown }
    setConflict(shown)
  }
  const load = (post_id: string) => queryClient.fetchQuery({ ...postVersionQuery(slug, post_id), staleTime: 0 })
  const isNewVersion = ({ updated_at }: Post) => updated_at > (latest.current.base?.record.updated_at ?? '')

  /** Takes over a version. Returns the parts that need a decision. */
  const absorb = (version: LoadedPost) => {
    const { base: known, conflict: earlier } = latest.current
    const theirDraft = toValues(version.record)
    const { merged, conflicts, taken } = mergeDrafts(
      form.getValues(),
      known ? toValues(known.record) : start,
      theirDraft,
    )
    form.setValues(merged)
    rebase(version, theirDraft)
    const open = [...new Set([...(earlier?.open ?? []), ...conflicts])].filter(
      (part) => !isSamePart(merged, theirDraft, part),
    )
    show({ theirs: version.record, theirDraft, open, taken: [...new Set([...(earlier?.taken ?? []), ...taken])] })
    return { open, merged, version }
  }
  const follow = useRef(absorb)
  follow.current = absorb

  return {
    /** The post as last polled; undefined before a new one is saved. */
    post,
    latest,
    conflict,
    /** Takes over a version that was polled. */
    follow: () => {
      if (!id || !post || !isEditable(post) || !isNewVersion(post)) return
      // A version that cannot be loaded now is refused when the form is saved.
      void load(id).then(
        (version) => void (isNewVersion(version.record) && follow.current(version)),
        () => undefined,
      )
    },
    /** Keeps the version that was just saved from these values. */
    rebase,
    /** Takes over the latest version, unless it can no longer be edited. */
    catchUp: async (post_id: string) => {
      const version = await load(post_id)
      if (isEditable(version.record)) return absorb(version)
      showPost(slug, version.record)
      return undefined
    },
    decide: (parts: DraftPart[], choice: 'mine' | 'theirs') => {
      if (!conflict) return
      if (choice === 'theirs')
        form.setValues(parts.reduce((draft, part) => takePart(draft, part, conflict.theirDraft), form.getValues()))
      show({ ...conflict, open: conflict.open.filter((part) => !parts.includes(part)) })
    },
    dismiss: () => show(undefined),
  }
}
