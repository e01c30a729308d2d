import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'
import { type Post, queryClient } from '../../../../api'
import { useWorkspace } from '../../../workspaces/queries'
import { type LoadedPost, postVersionQuery, showPost } from '../../queries'
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
 * asks about what both changed. So a save replaces nothing that the user has not seen.
 */
export function usePostVersions(
  form: UseFormReturnType<PostDraft>,
  start: LoadedPost,
  toDraft: (post: Post) => PostDraft,
  /** The post as last polled. */
  polled: Post,
  isSaving: boolean,
) {
  const { slug } = useWorkspace()
  const [base, setBase] = useState(start)
  const [conflict, setConflict] = useState<PostConflict>()
  const load = () => queryClient.fetchQuery({ ...postVersionQuery(slug, polled.id), staleTime: 0 })
  const before = toDraft(base.record)

  /** Takes over a version. Returns the parts that need a decision. */
  const absorb = (latest: LoadedPost) => {
    const theirDraft = toDraft(latest.record)
    const { merged, conflicts, taken } = mergeDrafts(form.getValues(), before, theirDraft)
    form.setInitialValues(theirDraft)
    form.setValues(merged)
    setBase(latest)
    const open = [...new Set([...(conflict?.open ?? []), ...conflicts])].filter(
      (part) => !isSamePart(merged, theirDraft, part),
    )
    const allTaken = [...new Set([...(conflict?.taken ?? []), ...taken])]
    setConflict(
      open.length + allTaken.length ? { theirs: latest.record, theirDraft, open, taken: allTaken } : undefined,
    )
    return { open, merged, latest }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (isSaving || !isEditable(polled) || polled.updated_at <= base.record.updated_at) return
    // A version that cannot be loaded now is refused when the form is saved.
    void load().then(absorb, () => undefined)
  }, [polled.updated_at, isSaving])

  return {
    base,
    before,
    /** Shows the version that was just saved. */
    rebase: (saved: LoadedPost) => {
      setBase(saved)
      setConflict(undefined)
    },
    /** Takes over the latest version, unless it can no longer be edited. */
    catchUp: async () => {
      const latest = await load()
      if (isEditable(latest.record)) return absorb(latest)
      showPost(slug, latest.record)
      return undefined
    },
    conflict,
    decide: (parts: DraftPart[], choice: 'mine' | 'theirs') => {
      if (!conflict) return
      if (choice === 'theirs')
        form.setValues(parts.reduce((draft, part) => takePart(draft, part, conflict.theirDraft), form.getValues()))
      const open = conflict.open.filter((part) => !parts.includes(part))
      setConflict(open.length + conflict.taken.length ? { ...conflict, open } : undefined)
    },
    dismiss: () => setConflict(undefined),
  }
}
