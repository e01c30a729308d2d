import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import { partResults, publishThread } from '../publish-thread.ts'
import { type Fields, openChat } from './bot.ts'

type Media = Part['media'][number]
/** A part as it was sent. `ids`: its messages; an album has one for each file, and its text is in the first. */
type Sent = { ids: number[]; url: string | null; has_media: boolean; has_preview: boolean }

const methods = {
  image: { method: 'sendPhoto', name: 'photo' },
  gif: { method: 'sendAnimation', name: 'animation' },
  video: { method: 'sendVideo', name: 'video' },
  document: { method: 'sendDocument', name: 'document' },
} as const

/** Without these, apps show a video as a square until it is loaded. */
const shapeOf = ({ kind, width, height, duration_s }: Media) => ({
  ...((kind === 'video' || kind === 'gif') && {
    ...(width !== null && height !== null && { width, height }),
    ...(duration_s !== null && { duration: Math.max(1, Math.round(duration_s)) }),
  }),
  ...(kind === 'video' && { supports_streaming: true }),
})

function messageOf({ text, media }: Part, { has_preview }: { has_preview: boolean }) {
  const [first] = media
  if (!first)
    return { method: 'sendMessage', fields: { text, ...(!has_preview && withoutPreview) }, files: [] as const }
  const caption = text === '' ? {} : { caption: text }
  if (media.length === 1) {
    const { method, name } = methods[first.kind]
    return { method, fields: { ...caption, ...shapeOf(first) }, files: [{ name, file: first }] }
  }
  const album = media.map((file, index) => ({
    type: methods[file.kind].name,
    media: `attach://file${index}`,
    ...(index === 0 && caption),
    ...shapeOf(file),
  }))
  const files = media.map((file, index) => ({ name: `file${index}`, file }))
  return { method: 'sendMediaGroup', fields: { media: album }, files }
}

const withoutPreview = { link_preview_options: { is_disabled: true } }

/** The address of a message; null in groups, whose messages have none. */
function urlOf(message: Fields, id: number) {
  const { id: chat, username } = fieldsOf(message.chat)
  if (typeof username === 'string' && /^\w{1,64}$/.test(username)) return `https://t.me/${username}/${id}`
  const [, inner] = /^-100(\d+)$/.exec(String(chat)) ?? []
  return inner === undefined ? null : `https://t.me/c/${inner}/${id}`
}

function sentOf(result: unknown, kept: Omit<Sent, 'ids' | 'url'>): Sent {
  const messages = (Array.isArray(result) ? result : [result]).map(fieldsOf)
  const ids = messages.flatMap(({ message_id }) => (typeof message_id === 'number' ? [message_id] : []))
  const [first] = messages
  if (!first || ids.length < messages.length || ids[0] === undefined)
    throw new NetworkFault({ kind: 'unconfirmed', message: 'Telegram responded without the number of the message.' })
  return { ids, url: urlOf(first, ids[0]), ...kept }
}

/** The text is sent without a parse mode: readers see it as it was written, with links and mentions. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, options, step, key } = publication
  const inChat = openChat(deps, publication)
  const has_preview = options.link_preview !== false
  const chosen = {
    ...(options.silent === true && { disable_notification: true }),
    ...(typeof options.topic_id === 'string' && options.topic_id && { message_thread_id: Number(options.topic_id) }),
  }
  const first = await publishThread<Sent | null>(parts, ({ part, index, name, before }) => {
    const message_id = before?.parent?.ids[0]
    const run = async () => {
      const { method, fields, files } = messageOf(part, { has_preview })
      const reply = message_id === undefined ? {} : { reply_parameters: { message_id } }
      const result = await inChat(method, { ...fields, ...chosen, ...reply }, [...files])
      return sentOf(result, { has_media: part.media.length > 0, has_preview })
    }
    // Bots can neither name a message before it is sent nor read the chat.
    return step(name, { part: index, run, ifLost: 'ask' })
  })
  return { external_id: String(first?.ids[0] ?? key), url: first?.url ?? null }
}

const isSent = (result: unknown): result is Sent => Array.isArray(fieldsOf(result).ids)

/** Runs a call whose refusal with this message means that there is nothing left to do. */
async function unless(done: RegExp, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault) || thrown.failure.kind !== 'failed' || !done.test(thrown.message))
      throw thrown
  }
}

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const inChat = openChat(deps, post)
  const [{ ids, has_media, has_preview }] = partResults(post, isSent)
  const message_id = ids[0]
  await unless(/message is not modified/i, () =>
    has_media
      ? inChat('editMessageCaption', { message_id, caption: text })
      : inChat('editMessageText', { message_id, text, ...(!has_preview && withoutPreview) }),
  )
}

export async function remove(deps: Deps, post: PublishedPost) {
  const inChat = openChat(deps, post)
  // From the end, so that no reader sees a thread without its beginning.
  for (const message_id of partResults(post, isSent)
    .flatMap(({ ids }) => ids)
    .reverse())
    await unless(/message to delete not found/i, () => inChat('deleteMessage', { message_id }))
}
