import { createHash } from 'node:crypto'
import type { Language } from '../../../lib/language.ts'
import type { Kind, SubjectType } from '../kinds.ts'
import { sentences } from '../mails/sentences.ts'
import { pageOf } from '../mails/take-notifications.ts'

/** Bytes of UTF-8. Push services take 4,096 in all, and some fewer. */
const MAX_TITLE = 480
const MAX_LINE = 160
const MAX_SHORT_TITLE = 120

/** What the service worker of the console shows. It appears on locked screens, so it has no reasons or details. */
export type PushMessage = { title: string; line: string; path: string; tag: string; lang: Language }

type Described = {
  kind: Kind
  group_key: string
  subject_type: SubjectType
  subject_id: string
  subject_name: string
  workspace_name: string
  slug: string
  /** Unread notifications of the group about other subjects. */
  more: number
}

/** The beginning of a text that fits, without half a character. */
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
 * Messages with the same tag replace each other, in the browser and at the push service: those about one subject, and
 * those of one group. It is a hash, because push services read it.
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
    line: cutToBytes(workspace_name, MAX_LINE),
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
