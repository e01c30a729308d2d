import type { Account, Network } from '../../../api'

export type PreviewFile = {
  id: string
  kind: 'image' | 'gif' | 'video' | 'document'
  alt: string
  name: string | null
  width: number | null
  height: number | null
  duration_s: number | null
  placeholder: string | null
  url: string | null
  thumbnail_url: string | null
}

type Option = Pick<Network['options'][number], 'key' | 'label' | 'choices' | 'shown_as' | 'default'>

/** `excess`: text beyond the limit. `hasFiles`: also while its files are loading. */
export type PreviewPart = { text: string; excess?: string; files: readonly PreviewFile[]; hasFiles: boolean }

export type PreviewProps = {
  account: Pick<Account, 'id' | 'name' | 'handle' | 'avatar_url'>
  network: Pick<Network, 'name' | 'icon' | 'preview'> & { options: readonly Option[] }
  /** Settings of the post for the account. */
  options: Record<string, unknown>
  /** The post, then the other parts of its thread. */
  parts: readonly PreviewPart[]
  comment: string
  /** Whether the network has threads, whose parts comments look like. */
  hasThreads: boolean
}

/** A post with what its layouts show of it. */
export type ShownPost = Omit<PreviewProps, 'parts' | 'options' | 'network'> &
  Omit<ReturnType<typeof shownOptions>, 'mediaWarning'> & {
    /** Warning on the files; empty without one. */
    mediaWarning: string
    preview: Network['preview']
    /** `link`: of the card below. */
    parts: (PreviewPart & { link: string })[]
  }

const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

/** Collects the settings of a post that readers see, by their places in the preview. */
export function shownOptions(options: readonly Option[], values: Record<string, unknown>) {
  const textAt = { title: '', media_title: '', topic: '', sender: '', content_warning: '' }
  const listAt = { tags: [] as string[], authors: [] as string[] }
  const notes: string[] = []
  let [hasCard, hasCardLink, cardLink] = [true, false, '']
  /** True: a warning without words of its own. */
  let mediaWarning: string | boolean = false
  let format: 'reel' | 'story' | undefined
  for (const { key, label, choices, shown_as: place, default: unset } of options) {
    const value = values[key] ?? unset
    const choice = choices?.find((one) => one.value === value)
    format = choice?.shown_as ?? format
    const text = typeof value === 'string' ? value.trim() : ''
    if (place === 'tags' || place === 'authors') listAt[place].push(...texts(value))
    else if (place === 'link_card') hasCard = value !== false
    else if (place === 'no_link_card') hasCard = value !== true
    else if (place === 'card_link') [hasCardLink, cardLink] = [true, text]
    else if (place === 'note' && value === true) notes.push(label)
    else if (place === 'media_warning' && value !== unset) mediaWarning = choice?.label ?? true
    else if (place && place !== 'note' && place !== 'media_warning') textAt[place] = text
  }
  const { media_title: mediaTitle, content_warning: contentWarning, ...rest } = textAt
  const card = { hasCard, hasCardLink, cardLink }
  return { ...rest, ...listAt, ...card, mediaTitle, contentWarning, mediaWarning, notes, format }
}

export const avatarOf = ({ account: { id, name, avatar_url } }: ShownPost) => ({ id, name, picture: avatar_url })

/** The name that readers see. */
export const nameIn = ({ account, sender, preview }: ShownPost) =>
  preview.byline === 'handle_alone' ? account.handle : sender || account.name
