import type { Version } from './queries'

type Texts = Pick<Version, 'content' | 'first_comment'> & { thread: Version['thread'] }
type Files = { media_ids: string[]; thread: Version['thread'] }

/** A text of both versions. `account_id`: null for the text of the post, which accounts without one have. */
export type TextChange = {
  account_id: string | null
  part: 'content' | 'thread' | 'first_comment'
  /** The part of the thread, from 2: the post is the first. */
  place: number
  before: string
  after: string
}

const textsOf = ({ content, first_comment, thread }: Texts) => [
  { part: 'content' as const, place: 1, text: content },
  ...thread.map((one, index) => ({ part: 'thread' as const, place: index + 2, text: one.content })),
  { part: 'first_comment' as const, place: 0, text: first_comment ?? '' },
]

/** Puts the texts of two versions side by side. */
function compareTexts(account_id: string | null, before: Texts, after: Texts): TextChange[] {
  const [then, now] = [textsOf(before), textsOf(after)]
  const find = (texts: typeof now, { part, place }: (typeof now)[number]) =>
    texts.find((one) => one.part === part && one.place === place)?.text ?? ''
  const all = [
    ...now,
    ...then.filter((one) => !now.some(({ part, place }) => part === one.part && place === one.place)),
  ]
  return all
    .toSorted((a, b) => Number(a.part === 'first_comment') - Number(b.part === 'first_comment') || a.place - b.place)
    .map((one) => ({
      ...{ account_id, part: one.part, place: one.place, before: find(then, one), after: find(now, one) },
    }))
}

const nothing = { content: '', thread: [], first_comment: null }
/** The texts that an account has of its own. */
const own = (target: Version['targets'][number] | undefined): Texts =>
  target ? { content: target.content ?? '', thread: target.thread ?? [], first_comment: target.first_comment } : nothing

/** The texts that differ. Without a version before: all. */
export function changedTexts(version: Version, previous: Version | undefined): TextChange[] {
  const before = previous ?? version
  const accounts = [...new Set([...version.targets, ...before.targets].map(({ account_id }) => account_id))]
  const targetOf = ({ targets }: Version, id: string) => targets.find(({ account_id }) => account_id === id)
  return [
    ...compareTexts(null, before, version),
    ...accounts.flatMap((id) => compareTexts(id, own(targetOf(before, id)), own(targetOf(version, id)))),
  ].filter((change) => (previous ? change.before !== change.after : change.after !== ''))
}

/** The accounts that were added and removed, and those whose settings differ. */
export function changedAccounts(version: Version, previous: Version | undefined) {
  const then = new Map(previous?.targets.map((target) => [target.account_id, target]))
  const now = new Map(version.targets.map((target) => [target.account_id, target]))
  return {
    added: version.targets.filter(({ account_id }) => !then.has(account_id)),
    removed: (previous?.targets ?? []).filter(({ account_id }) => !now.has(account_id)),
    configured: version.targets.filter(({ account_id, options }) => {
      const before = then.get(account_id)
      return before && JSON.stringify(before.options) !== JSON.stringify(options)
    }),
  }
}

const filesOf = ({ media_ids, thread }: Files) => [...media_ids, ...thread.flatMap((part) => part.media_ids)]

/** All files that a version shows, each once. */
const allFiles = (version: Version) => [
  ...new Set([
    ...filesOf(version),
    ...version.targets.flatMap(({ media_ids, thread }) =>
      filesOf({ media_ids: media_ids ?? [], thread: thread ?? [] }),
    ),
  ]),
]

/**
 * The files that were added and removed, whether the same are in another order, and the alternative texts and names of
 * documents that differ.
 */
export function changedFiles(version: Version, previous: Version | undefined) {
  const [then, now] = [previous ? allFiles(previous) : [], allFiles(version)]
  const added = now.filter((id) => !then.includes(id))
  const removed = then.filter((id) => !now.includes(id))
  const described = version.media.flatMap((file) => {
    const before = previous?.media.find(({ id }) => id === file.id)
    return (['alt', 'name'] as const)
      .map((part) => ({ id: file.id, part, before: before?.[part] ?? '', after: file[part] ?? '' }))
      .filter((change) => before && change.before !== change.after)
  })
  return { added, removed, isMoved: added.length + removed.length === 0 && then.join() !== now.join(), described }
}
