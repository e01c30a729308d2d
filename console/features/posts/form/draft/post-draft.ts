import { isCode, type Post, wasRefused } from '../../../../api'
import { fromWall } from '../../../../ui/text/time-zone'
import type { LoadedPost } from '../../queries'
import { hasContent, type PostDraft, toBody, toNewPost } from '../form-values'
import { combinePart, type DraftPart, isSameContent, isSamePart, mergeDrafts, takePart } from './merge'

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

export type PostDraftState = {
  values: PostDraft
  /** Values of the form that the server has. Those that the form began with, before a new post is created. */
  stored: PostDraft
  /** The version that the next change replaces. Undefined before a new post is created. */
  base: LoadedPost | undefined
  /** The newest version that is known. Undefined before a new post is created. */
  post: Post | undefined
  conflict: PostConflict | undefined
  phase: 'editing' | 'saving' | 'submitting' | 'submitted'
  /** Result of the last automatic save of the draft. Undefined before the first one. */
  autosaved: 'saved' | Refusal | undefined
  /** Why the last submission failed. */
  refusal: Refusal | undefined
  /** Number of fields that upload files. */
  uploads: number
}

/** An error, and the values that were sent. */
type Refusal = { error: unknown; values: PostDraft }

/** Calls to the API. `create` makes one post for one body, also when a response is lost. */
export type PostCalls = {
  read: (id: string) => Promise<LoadedPost>
  create: (body: ReturnType<typeof toNewPost>) => Promise<LoadedPost>
  change: (version: LoadedPost, body: ReturnType<typeof toBody>) => Promise<LoadedPost>
  publish: (id: string) => Promise<Post>
  requestApproval: (id: string, body: { scheduled_at?: null }) => Promise<Post>
  /** Shows a stored version in the rest of the console. */
  show: (post: Post) => void
}

type Input = {
  calls: PostCalls
  /** Values that a new post begins with. */
  start?: PostDraft | undefined
  /** The post that the form begins with, unless it is a new one. */
  opened?: LoadedPost | undefined
  /** Time zone of the workspace. */
  zone: string
  toValues: (post: Post) => PostDraft
  /** Whether the user can change a post in this state. */
  mayEdit: (post: Post) => boolean
  /** Reports the draft that a new post became. */
  onDraft: (id: string) => void
}

/** The values of the form, for its fields. */
export type PostFields = {
  values: PostDraft
  edit: (change: Partial<PostDraft>) => void
  /** Reports that a field uploads files. Returns a function that reports the end. */
  beginUpload: () => () => void
}

export type PostDraftMachine = ReturnType<typeof createPostDraft>

/**
 * A post while it is written.
 *
 *     editing → saving → editing                    `autosave`: a draft, by itself
 *     editing → submitting → submitted | editing    `submit`: by the user; a refusal goes back to editing
 *
 * A new post becomes a draft with its first content. Saves run one after the other. A newer version is taken over while
 * nothing is saved: what only the other user changed replaces the values, and what both changed is a conflict that keeps
 * the post from being saved until the user decides. A save therefore replaces nothing that the user has not seen.
 */
export function createPostDraft({ calls, start, opened, zone, toValues, mayEdit, onDraft }: Input) {
  const first = opened ? toValues(opened.record) : start
  if (!first) throw new Error('A post needs values or a version to begin with')
  let state: PostDraftState = {
    ...{ values: first, stored: first, base: opened, post: opened?.record },
    ...{ conflict: undefined, phase: 'editing', autosaved: undefined, refusal: undefined, uploads: 0 },
  }
  const listeners = new Set<() => void>()
  const set = (change: Partial<PostDraftState>) => {
    state = { ...state, ...change }
    for (const tell of listeners) tell()
  }

  let running: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = running.then(work)
    running = result.catch(() => undefined)
    return result
  }

  const mustDecide = () => (state.conflict?.open.length ?? 0) > 0
  const isNewer = ({ updated_at }: Post) => updated_at > (state.base?.record.updated_at ?? '')
  const showConflict = (found: PostConflict) =>
    set({ conflict: found.open.length + found.taken.length > 0 ? found : undefined })

  /** Takes over a version. Returns the parts that need a decision. */
  const absorb = (version: LoadedPost) => {
    const { values, base, conflict } = state
    const theirDraft = toValues(version.record)
    const { merged, conflicts, taken } = mergeDrafts(values, base ? toValues(base.record) : first, theirDraft)
    set({ values: merged, stored: theirDraft, base: version, post: version.record })
    const open = [...new Set([...(conflict?.open ?? []), ...conflicts])].filter(
      (part) => !isSamePart(merged, theirDraft, part),
    )
    showConflict({
      ...{ theirs: version.record, theirDraft, open },
      taken: [...new Set([...(conflict?.taken ?? []), ...taken])],
    })
    return { open, version }
  }
  const follow = async () => {
    const { base, post, phase } = state
    if (!base || !post || phase !== 'editing' || !isEditable(post) || !isNewer(post)) return
    // A version that cannot be read now is refused when the post is saved.
    const version = await calls.read(post.id).catch(() => undefined)
    if (version && isNewer(version.record)) absorb(version)
  }

  /** The draft whose creation had no response: it may exist. */
  let creationWithoutResponse: PostDraft | undefined
  const keep = (version: LoadedPost, stored: PostDraft) => {
    set({ base: version, post: version.record, stored })
    calls.show(version.record)
    return version
  }
  const create = async (values: PostDraft) => {
    // Sent again as it was, a creation without a response has the same Idempotency-Key, so there is only one draft.
    const sent = creationWithoutResponse ?? values
    creationWithoutResponse = sent
    const created = await calls.create(toBody(sent)).catch((error) => {
      if (wasRefused(error)) creationWithoutResponse = undefined
      throw error
    })
    creationWithoutResponse = undefined
    onDraft(created.record.id)
    return keep(created, sent)
  }
  const change = async (values: PostDraft, withTime: boolean): Promise<LoadedPost> => {
    const { base } = state
    if (!base) return create(values)
    const send = (draft: PostDraft, version: LoadedPost) =>
      calls.change(version, {
        ...toBody(draft),
        ...(withTime && timeOf(draft, toValues(version.record), zone)),
      })
    try {
      return keep(await send(values, base), values)
    } catch (error) {
      if (!isCode(error, 'version_conflict')) throw error
      const version = await calls.read(base.record.id)
      if (!isEditable(version.record)) {
        set({ post: version.record })
        calls.show(version.record)
        throw error
      }
      if (absorb(version).open.length > 0) throw error
      const { values: merged } = state
      return keep(await send(merged, version), merged)
    }
  }

  const isUncertain = () => !state.post && state.refusal !== undefined && !wasRefused(state.refusal.error)
  /** Whether the post is saved by itself. A new post that may exist is not: a draft would be a second one. */
  const isDraft = () => (state.post ? state.post.status === 'draft' && mayEdit(state.post) : !isUncertain())
  const isSubmitting = () => state.phase === 'submitting' || state.phase === 'submitted'
  /** Whether the post can no longer be changed, such as because it was published. */
  const isTooLate = () => state.post !== undefined && !mayEdit(state.post) && !isSubmitting()
  const hasUnsavedContent = () => state.phase !== 'submitted' && !isSameContent(state.values, state.stored)
  // The time of a draft is kept when it is scheduled. A post in review has one already.
  const hasUnsavedTime = () =>
    state.phase !== 'submitted' &&
    (!isDraft() || state.post?.review === 'pending') &&
    !isSamePart(state.values, state.stored, 'time')
  const isUnsaved = () => hasUnsavedContent() || hasUnsavedTime()
  const isKept = () => isDraft() && (state.post !== undefined || hasContent(state.values))

  const autosave = () =>
    inTurn(async () => {
      const { values, phase } = state
      if (phase !== 'editing' || mustDecide() || !hasUnsavedContent()) return
      set({ phase: 'saving' })
      try {
        await change(values, false)
        set({ autosaved: 'saved' })
      } catch (error) {
        if (!mustDecide()) set({ autosaved: { error, values } })
      }
      // The user may have submitted the post in the meantime.
      if (state.phase === 'saving') set({ phase: 'editing' })
      await follow()
    })

  const send = async (values: PostDraft): Promise<Post> => {
    if (creationWithoutResponse) await create(creationWithoutResponse)
    const { base, post } = state
    // It was published during editing: the text is saved as a new post.
    if (!base || (post && !mayEdit(post))) return (await calls.create(toNewPost(values, zone))).record
    const { record } = await change(values, true)
    set({ conflict: undefined })
    if (record.review === 'rejected' && values.when !== 'draft')
      return calls.requestApproval(record.id, values.when === 'now' ? { scheduled_at: null } : {})
    return values.when === 'now' ? calls.publish(record.id) : record
  }
  /** Returns why the post cannot be submitted now. `done`: it is submitted, or a submission is under way. */
  const blockedBy = () => {
    if (isSubmitting()) return 'done'
    if (mustDecide() && !isTooLate()) return 'conflict'
    return state.uploads > 0 ? 'uploads' : undefined
  }
  /** Saves the post for good. Returns undefined if it is blocked or refused. */
  const submit = async (): Promise<Post | undefined> => {
    if (blockedBy()) return
    const { values } = state
    set({ phase: 'submitting', refusal: undefined })
    try {
      const post = await inTurn(() => send(values))
      set({ phase: 'submitted' })
      calls.show(post)
      return post
    } catch (error) {
      set({ phase: 'editing', refusal: { error, values } })
      void inTurn(follow)
    }
  }

  return {
    get: () => state,
    subscribe(tell: () => void) {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
    edit: (change: Partial<PostDraft>) => set({ values: { ...state.values, ...change } }),
    beginUpload() {
      set({ uploads: state.uploads + 1 })
      return () => set({ uploads: state.uploads - 1 })
    },
    /** Reports a version, such as one that was polled. */
    see(post: Post) {
      if (post === state.post) return
      set({ post })
      void inTurn(follow)
    },
    /** Decides on parts that both changed. */
    decide(parts: readonly DraftPart[], choice: 'mine' | 'theirs' | 'both') {
      const { conflict, values } = state
      if (!conflict) return
      const take = { mine: (draft: PostDraft) => draft, theirs: takePart, both: combinePart }[choice]
      set({ values: parts.reduce((draft, part) => take(draft, part, conflict.theirDraft), values) })
      showConflict({ ...conflict, open: conflict.open.filter((part) => !parts.includes(part)) })
    },
    dismiss: () => set({ conflict: undefined }),
    isDraft,
    isTooLate,
    isUnsaved,
    /** Whether the draft is to be saved by itself after a pause. */
    isDue() {
      const { phase, autosaved, values } = state
      const isRefused = typeof autosaved === 'object' && autosaved.values === values && wasRefused(autosaved.error)
      return phase === 'editing' && isKept() && hasUnsavedContent() && !mustDecide() && !isRefused
    },
    autosave,
    /** Saves a draft before the user leaves. Returns whether nothing is left unsaved. */
    async saveBeforeLeaving() {
      if (isKept()) await autosave()
      return !isUnsaved()
    },
    blockedBy,
    submit,
    /** The draft that a new post became without being submitted. */
    abandoned: () =>
      !opened && !isSubmitting() && state.base?.record.status === 'draft' ? state.base.record : undefined,
  }
}

const isEditable = ({ status }: Post) => ['draft', 'scheduled', 'failed'].includes(status)

/** The time to send with a change. An unchanged one is not sent: the wall-clock time is less precise. */
function timeOf({ when, wall }: PostDraft, before: PostDraft, zone: string) {
  if (when === 'queue') return { queue: 'next' as const }
  if (when === 'draft') return { scheduled_at: null }
  if (when === 'later' && wall && wall !== before.wall) return { scheduled_at: fromWall(zone, wall).toISOString() }
  return {}
}
