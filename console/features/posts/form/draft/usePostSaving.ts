import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  isCode,
  isSignedOut,
  isUnreachable,
  type Post,
  unwrap,
  unwrapWithEtag,
  wasRefused,
  workspaceApi,
} from '../../../../api'
import { useFlag } from '../../../../ui/flag'
import { useIdempotencyKey } from '../../../../ui/forms/useIdempotencyKey'
import { fromWall } from '../../../../ui/text/time-zone'
import { useWorkspace } from '../../../workspaces/queries'
import { type LoadedPost, showPost } from '../../queries'
import { hasContent, type PostDraft, toBody, toNewPost } from '../form-values'
import { isSameContent, isSamePart } from './merge'
import { useDiscardOffer } from './useDiscardOffer'
import { usePostVersions } from './usePostVersions'

/** Time without a change after which a draft is saved. */
const PAUSE_MS = 1500

type Input = {
  form: UseFormReturnType<PostDraft>
  /** The post that the form begins with, unless it is a new one. */
  opened: LoadedPost | undefined
  toValues: (post: Post) => PostDraft
  /** Whether a post in this state can be changed by the user. */
  mayEdit: (post: Post) => boolean
  /** Reports the draft that a new post became. */
  onDraft?: ((id: string) => void) | undefined
}

/**
 * Saves the post of a form: a draft by itself, a moment after typing stops, and any post when the user submits it. A
 * new post becomes a draft with its first content. Saves of one form run one after the other.
 */
export function usePostSaving({ form, opened, toValues, mayEdit, onDraft }: Input) {
  const workspace = useWorkspace()
  const client = workspaceApi(workspace.slug)
  const versions = usePostVersions(form, opened, toValues)
  const { post, latest } = versions
  const once = useIdempotencyKey()
  const onceDraft = useIdempotencyKey()
  /** The draft whose creation had no response: it may exist. */
  const creationWithoutResponse = useRef<PostDraft>(undefined)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const inTurn = <T>(save: () => Promise<T>): Promise<T> => {
    const result = running.current.then(save)
    running.current = result.catch(() => undefined)
    return result
  }

  const mustDecide = () => (latest.current.conflict?.open.length ?? 0) > 0
  const store = (version: LoadedPost, values: PostDraft) => {
    versions.rebase(version, values)
    showPost(workspace.slug, version.record)
    return version
  }
  const create = async (values: PostDraft) => {
    // Sent again as it was, a creation without a response has the same Idempotency-Key, so there is only one draft.
    const sent = creationWithoutResponse.current ?? values
    creationWithoutResponse.current = sent
    const body = toBody(sent)
    const created = await onceDraft(body, (headers) =>
      unwrapWithEtag(client.POST('/api/v1/posts', { body, headers })),
    ).catch((error) => {
      if (wasRefused(error)) creationWithoutResponse.current = undefined
      throw error
    })
    creationWithoutResponse.current = undefined
    if (isShown.current) onDraft?.(created.record.id)
    return store(created, sent)
  }
  const change = async (values: PostDraft, withTime: boolean): Promise<LoadedPost> => {
    const send = (draft: PostDraft, { record, etag }: LoadedPost) => {
      const body = { ...toBody(draft), ...(withTime && timeOf(draft, toValues(record), workspace.timezone)) }
      const params = { path: { id: record.id } }
      const headers = { 'if-match': etag }
      return unwrapWithEtag(client.PATCH('/api/v1/posts/{id}', { params, body, headers }))
    }
    const { base } = latest.current
    if (!base) return create(values)
    let sent = values
    const changed = await send(values, base).catch(async (error) => {
      if (!isCode(error, 'version_conflict')) throw error
      const current = await versions.catchUp(base.record.id)
      if (!current || current.open.length) throw error
      sent = current.merged
      return send(sent, current.version)
    })
    return store(changed, sent)
  }

  const offerDiscard = useDiscardOffer()
  const isSubmitted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is left
  useEffect(
    () => () => {
      const draft = latest.current.base?.record
      if (!opened && draft?.status === 'draft' && !isSubmitted.current) offerDiscard(draft)
    },
    [],
  )

  const autosave = useMutation({
    mutationFn: (_: PostDraft) =>
      inTurn(async () => {
        const values = form.getValues()
        if (mustDecide() || isSameContent(values, latest.current.stored)) return
        await change(values, false).catch((error) => {
          if (!mustDecide()) throw error
        })
      }),
  })
  const submit = useMutation({
    onMutate: () => {
      isSubmitted.current = true
    },
    onError: () => {
      isSubmitted.current = false
    },
    mutationFn: (values: PostDraft) =>
      inTurn(async () => {
        if (creationWithoutResponse.current) await create(creationWithoutResponse.current)
        const { base } = latest.current
        // It was published during editing: the text is saved as a new post.
        if (!base || (post && !mayEdit(post))) {
          const body = toNewPost(values, workspace.timezone)
          return once(body, (headers) => unwrap(client.POST('/api/v1/posts', { body, headers })))
        }
        const { record } = await change(values, true)
        versions.dismiss()
        const params = { path: { id: record.id } }
        if (record.review === 'rejected' && values.when !== 'draft') {
          const body = values.when === 'now' ? { scheduled_at: null } : {}
          return unwrap(client.POST('/api/v1/posts/{id}/request-approval', { params, body }))
        }
        if (values.when !== 'now') return record
        return unwrap(client.POST('/api/v1/posts/{id}/publish', { params }))
      }),
    onSuccess: (changed) => showPost(workspace.slug, changed),
  })

  const isSaving = autosave.isPending || submit.isPending || submit.isSuccess
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!isSaving) versions.follow()
  }, [post?.updated_at, isSaving])

  /** A new post whose submission had no response may exist: a draft would be a second one. */
  const isUncertain = !post && submit.isError && !wasRefused(submit.error)
  const isDraft = post ? post.status === 'draft' && mayEdit(post) : !isUncertain
  const hasUnsavedContent = (values: PostDraft) => !submit.isSuccess && !isSameContent(values, latest.current.stored)
  // The time of a draft is kept when it is scheduled. A post in review has one already.
  const hasUnsavedTime = (values: PostDraft) =>
    !submit.isSuccess && (!isDraft || post?.review === 'pending') && !isSamePart(values, latest.current.stored, 'time')
  const isUnsaved = () => hasUnsavedContent(form.getValues()) || hasUnsavedTime(form.getValues())
  const isKept = (values: PostDraft) => isDraft && (post !== undefined || hasContent(values))
  const waits = [useFlag(isSignedOut), useFlag(isUnreachable), isSaving, mustDecide()].some(Boolean)
  const isRefused = autosave.variables === form.values && wasRefused(autosave.error)
  const isDue = isKept(form.values) && hasUnsavedContent(form.values) && !waits && !isRefused
  const { mutate } = autosave
  useEffect(() => {
    if (!isDue) return
    const save = () => mutate(form.values)
    const saveHidden = () => document.visibilityState === 'hidden' && save()
    const timer = setTimeout(save, PAUSE_MS)
    document.addEventListener('visibilitychange', saveHidden)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', saveHidden)
    }
  }, [form.values, isDue, mutate])

  return {
    versions,
    submit,
    autosave,
    /** Whether the post is saved by itself. */
    isDraft,
    isUnsaved,
    /** Saves a draft without waiting for a pause. */
    saveNow: () => mutate(form.getValues()),
    /** Saves a draft before the user leaves. Returns whether nothing is left unsaved. */
    saveBeforeLeaving: async () => {
      const values = form.getValues()
      if (isKept(values)) await autosave.mutateAsync(values).catch(() => undefined)
      return !isUnsaved()
    },
  }
}

/** The time to send with a change. An unchanged one is not sent: the wall-clock time is less precise. */
function timeOf({ when, wall }: PostDraft, before: PostDraft, zone: string) {
  if (when === 'queue') return { queue: 'next' as const }
  if (when === 'draft') return { scheduled_at: null }
  if (when === 'later' && wall && wall !== before.wall) return { scheduled_at: fromWall(zone, wall).toISOString() }
  return {}
}
