import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import {
  isSignedOut,
  isUnreachable,
  type Post,
  queryClient,
  unwrap,
  unwrapWithEtag,
  workspaceApi,
} from '../../../../api'
import { useErrorNotification } from '../../../../ui/feedback/useErrorNotification'
import { useUndoNotification } from '../../../../ui/feedback/useUndoNotification'
import { useFlag } from '../../../../ui/flag'
import { useIdempotencyKey } from '../../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../../workspaces/queries'
import { hidePost, showPost } from '../../changes'
import { type LoadedPost, postQuery, postVersionQuery } from '../../queries'
import type { PostDraft } from '../form-values'
import { createPostDraft, type PostCalls } from './post-draft'

/** Time without a change after which a draft is saved. */
const PAUSE_MS = 1500

type Input = {
  start: PostDraft | undefined
  opened: LoadedPost | undefined
  toValues: (post: Post) => PostDraft
  mayEdit: (post: Post) => boolean
  onDraft?: ((id: string) => void) | undefined
}

/** The post of a form, with its state. Follows the versions of other users, and saves a draft by itself. */
export function usePostDraft({ start, opened, ...functions }: Input) {
  const workspace = useWorkspace()
  const calls = usePostCalls()
  const offerDiscard = useDiscardOffer()
  /** The functions of the last rendering. */
  const current = useRef(functions)
  current.current = functions
  const isShown = useRef(false)
  const [draft] = useState(() =>
    createPostDraft({
      ...{ calls, start, opened, zone: workspace.timezone },
      toValues: (post) => current.current.toValues(post),
      mayEdit: (post) => current.current.mayEdit(post),
      onDraft: (id) => isShown.current && current.current.onDraft?.(id),
    }),
  )
  const state = useSyncExternalStore(draft.subscribe, draft.get)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is left
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      const abandoned = draft.abandoned()
      if (abandoned) offerDiscard(abandoned)
    }
  }, [])

  const id = state.base?.record.id
  const polled = useQuery({ ...postQuery(workspace.slug, id ?? ''), enabled: id !== undefined }).data
  useEffect(() => {
    if (polled) draft.see(polled)
  }, [draft, polled])

  const waits = [useFlag(isSignedOut), useFlag(isUnreachable)].some(Boolean)
  const isDue = draft.isDue() && !waits
  const { values } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the values begins another pause
  useEffect(() => {
    if (!isDue) return
    const save = () => void draft.autosave()
    const saveHidden = () => document.visibilityState === 'hidden' && save()
    const timer = setTimeout(save, PAUSE_MS)
    document.addEventListener('visibilitychange', saveHidden)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', saveHidden)
    }
  }, [values, isDue, draft])

  return { draft, state }
}

function usePostCalls(): PostCalls {
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const once = useIdempotencyKey()
  const at = (id: string) => ({ params: { path: { id } } })
  return {
    read: (id) => queryClient.fetchQuery({ ...postVersionQuery(slug, id), staleTime: 0 }),
    create: (body) => once(body, (headers) => unwrapWithEtag(client.POST('/api/v1/posts', { body, headers }))),
    change: ({ record, etag }, body) =>
      unwrapWithEtag(client.PATCH('/api/v1/posts/{id}', { ...at(record.id), body, headers: { 'if-match': etag } })),
    publish: (id) => unwrap(client.POST('/api/v1/posts/{id}/publish', at(id))),
    requestApproval: (id, body) => unwrap(client.POST('/api/v1/posts/{id}/request-approval', { ...at(id), body })),
    show: (post) => showPost(slug, post),
  }
}

/** Tells that a post whose form was left is kept as a draft, and offers to delete it. */
function useDiscardOffer() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const notifyWithUndo = useUndoNotification()
  const notifyError = useErrorNotification()
  return ({ id, updated_at }: Post) => {
    const discard = () =>
      void unwrap(workspaceApi(slug).DELETE('/api/v1/posts/{id}', { params: { path: { id } } })).then(
        () => hidePost(slug, id, updated_at),
        notifyError,
      )
    notifyWithUndo(`kept-${id}`, t('autosave.kept'), discard, t('autosave.discard'))
  }
}
