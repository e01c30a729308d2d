import { createHash } from 'node:crypto'
import type { Language } from '../../../lib/language.ts'
import type { Kind, SubjectType } from '../kinds.ts'
import { sentences } from '../mails/sentences.ts'
import { pageOf } from '../mails/take-notifications.ts'

/** Limits in bytes of UTF-8: push services accept 4,096 bytes in all, and some fewer. */
const MAX_TITLE = 480
const MAX_LINE = 160
const MAX_SHORT_TITLE = 120

/** The message that the service worker of the console shows. It appears on locked screens, so it has no reasons or details. */
export type PushMessage = { title: string; line: string; path: string; tag: string; lang: Language }

type Described = {
  kind: Kind
  group_key: string
  subject_type: SubjectType
  subject_id: string
  subject_name: string
  /** Both are null for what is about the installation. */
  workspace_name: string | null
  slug: string | null
  /** Unread notifications of the group about other subjects. */
  more: number
}

/** Cuts a text to `max` bytes of UTF-8, between characters as readers see them. */
export function cutToBytes(text: string, max: number) {
  if (Buffer.byteLength(text) <= max) return text
  let fitting = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(fitting) + Buffer.byteLength(segment) > max - 3) break
    fitting += segment
  }
  return `${fitting}…`
}

/**
 * Returns the tag of a message. One with the same tag replaces it, in the browser and at the push service: one about the
 * same subject, or of the same group. It is a hash, because push services see it.
 */
function tagOf({ kind, group_key, subject_type, subject_id }: Omit<Described, 'more'>) {
  const about = group_key === `${kind}:${subject_id}` ? `${subject_type}:${subject_id}` : group_key
  return createHash('sha256').update(about).digest('base64url').slice(0, 32)
}

export function pushMessage(notification: Described, lang: Language): PushMessage {
  const { kind, subject_name, workspace_name, more } = notification
  const sentence = sentences[lang][kind](subject_name)
  return {
    title: cutToBytes(sentence, MAX_TITLE) + (more > 0 ? ` +${more}` : ''),
    line: cutToBytes(workspace_name ?? 'Meydan', MAX_LINE),
    path: more > 0 ? '/notifications' : pageOf('', notification),
    tag: tagOf(notification),
    lang,
  }
}

/** The message for a push service that found it too large. */
export const shortened = (message: PushMessage): PushMessage => ({
  ...message,
  title: cutToBytes(message.title, MAX_SHORT_TITLE),
  line: '',
})
