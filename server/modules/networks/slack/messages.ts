import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { callWithForm } from '../calls/multipart.ts'
import { NetworkFault, type Part, type Publication, type Published } from '../network.ts'
import { publishThread } from '../publish-thread.ts'
import { callMethod, escaped, isRefusal } from './api.ts'
import type { Bot } from './bot.ts'

/** Names the metadata in which a message carries the key of its post. */
const EVENT_TYPE = 'meydan_post'
/** Pages of 200 messages that are searched for a lost one. */
const MAX_PAGES = 10
/** Slack's clock may differ from that of Meydan by this much. */
const CLOCK_SKEW_MS = 120_000
const PROCESSING_RETRY_S = 5

/** A message on its channel: its time is its id there. */
type Message = { ts: string }

function tsOf({ ts }: Record<string, unknown>): Message {
  if (typeof ts === 'string') return { ts }
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Slack responded without the id of the message.' })
}

type Place = { thread_ts: string | undefined }

/**
 * Looks for the message that carries a key, in its thread or among those in the channel since `since`. A page is read to
 * its end, because Slack's clock may differ from that of Meydan.
 */
async function findMessage(
  deps: Deps,
  { token, channel }: Bot,
  { key, thread_ts, since }: Place & { key: string; since: Date },
): Promise<Message | 'absent'> {
  const method = thread_ts === undefined ? 'conversations.history' : 'conversations.replies'
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const list = await callMethod(deps, token, method, {
      channel,
      ts: thread_ts,
      limit: 200,
      include_all_metadata: true,
      cursor,
    })
    const messages = Array.isArray(list.messages) ? list.messages.map(fieldsOf) : []
    const match = messages.find(({ metadata }) => fieldsOf(fieldsOf(metadata).event_payload).key === key)
    if (match) return tsOf(match)
    const { next_cursor } = fieldsOf(list.response_metadata)
    const isEnd = typeof next_cursor !== 'string' || next_cursor === ''
    // A channel is listed from its newest message on, a thread from its oldest.
    const isBefore = thread_ts === undefined && Number(messages.at(-1)?.ts) * 1000 < since.getTime() - CLOCK_SKEW_MS
    if (isEnd || isBefore) return 'absent'
    cursor = next_cursor
  }
  throw new NetworkFault({ kind: 'unconfirmed', message: 'The channel has too many messages to find a lost one.' })
}

/** Sends a file to Slack, where nobody sees it until it is completed. */
async function uploadFile(deps: Deps, { token }: Bot, media: Part['media'][number]) {
  const file = await media.open()
  try {
    const { upload_url, file_id } = await callMethod(deps, token, 'files.getUploadURLExternal', {
      filename: file.name,
      length: file.bytes,
      alt_txt: media.alt || undefined,
    })
    if (typeof upload_url !== 'string' || !URL.canParse(upload_url) || typeof file_id !== 'string')
      throw new NetworkFault({ kind: 'unavailable', message: 'Slack gave no address for the file.' })
    const form = [{ name: 'file', file: { open: async () => file } }]
    const { status } = await callWithForm(deps, { url: upload_url, originKey: 'slack.files' }, form)
    if (status === 200) return { id: file_id, title: file.name }
    throw new NetworkFault({ kind: 'unavailable', message: `Slack refused the file with status ${status}.` })
  } finally {
    file.stream.destroy()
  }
}

/** The message with which a file was shared in the channel; undefined while Slack processes the file. */
async function shareOf(deps: Deps, { token, channel }: Bot, file: string): Promise<Message | undefined> {
  const { shares } = fieldsOf((await callMethod(deps, token, 'files.info', { file })).file)
  const places = Object.values(fieldsOf(shares)).map((each) => fieldsOf(each)[channel])
  const [share] = places.flatMap((each) => (Array.isArray(each) ? each : []))
  return share === undefined ? undefined : tsOf(fieldsOf(share))
}

type Sending = Place & {
  /** Name of the step and of the message, unique within the post. */
  name: string
  number: number
  part?: number
}

function sendText(deps: Deps, { step, key, options }: Publication, open: () => Bot, text: string, sending: Sending) {
  const { name, thread_ts, part } = sending
  const own = `${key}/${name}`
  const unfurl = options.link_preview !== false
  return step(name, {
    ...(part !== undefined && { part }),
    run: async () => {
      const { token, channel } = open()
      return tsOf(
        await callMethod(deps, token, 'chat.postMessage', {
          channel,
          text: escaped(text),
          thread_ts,
          unfurl_links: unfurl,
          unfurl_media: unfurl,
          metadata: { event_type: EVENT_TYPE, event_payload: { key: own } },
        }),
      )
    },
    ifLost: {
      find: async (_, since) => findMessage(deps, open(), { key: own, thread_ts, since }),
      ifAbsent: 'wait',
    },
  })
}

function firstOf([first]: readonly { id: string }[]) {
  if (!first) throw new Error('A message with files has at least one')
  return { file_id: first.id }
}

/** Uploads the files, shares them in one message with the text, and finds that message by the first file. */
async function sendFiles(
  deps: Deps,
  publication: Publication,
  open: () => Bot,
  { text, media }: Part,
  sending: Sending,
) {
  const { step, prepare } = publication
  const { name, number, thread_ts, part } = sending
  const { file_id } = await step(name, {
    ...(part !== undefined && { part }),
    intent: async () => {
      const files: { id: string; title: string }[] = []
      for (const [index, file] of media.entries())
        files.push(
          await prepare(`upload ${number}.${index}`, {
            from: { file: file.version, alt: file.alt },
            make: async () => uploadFile(deps, open(), file),
          }),
        )
      return { files, text }
    },
    run: async ({ files, text: sent }) => {
      const { token, channel } = open()
      try {
        await callMethod(deps, token, 'files.completeUploadExternal', {
          files,
          channel_id: channel,
          thread_ts,
          initial_comment: escaped(sent) || undefined,
        })
      } catch (thrown) {
        // Slack completes a file once only: an earlier run has arrived.
        if (!isRefusal(thrown, 'file_not_found')) throw thrown
      }
      return firstOf(files)
    },
    ifLost: {
      find: async ({ files }) => {
        const first = firstOf(files)
        return (await shareOf(deps, open(), first.file_id)) ? first : 'absent'
      },
      ifAbsent: 'wait',
    },
  })
  return step(`share ${number}`, {
    run: async () => {
      const message = await shareOf(deps, open(), file_id)
      if (message) return message
      const failure = { kind: 'processing', message: 'Slack processes the files.' } as const
      throw new NetworkFault({ ...failure, retry_after_s: PROCESSING_RETRY_S })
    },
    ifLost: 'repeat',
  })
}

/** The steps whose results are messages, in the order in which they were sent. */
export const messagesOf = (results: Record<string, unknown>): Message[] =>
  Object.keys(results)
    .flatMap((_, number) => [results[`post ${number}`], results[`share ${number}`]])
    .concat(results.comment)
    .flatMap((result) => {
      const { ts } = fieldsOf(result)
      return typeof ts === 'string' ? [{ ts }] : []
    })

/** Null if the account is disconnected by now: its credentials name the workspace. */
function addressOf({ account }: Publication, { ts }: Message, open: () => Bot) {
  if (account.credentials === null) return null
  const { team_url, channel } = open()
  return `${team_url}archives/${channel}/p${ts.replace('.', '')}`
}

/** Sends the post, and the other parts and the first comment as replies in its thread. */
export async function publishAsBot(deps: Deps, publication: Publication, open: () => Bot): Promise<Published> {
  const { parts, first_comment } = publication
  const root = await publishThread<Message>(parts, ({ part, index, name, before }) => {
    const sending = { name, number: index, part: index, thread_ts: before?.root.ts }
    return part.media.length > 0
      ? sendFiles(deps, publication, open, part, sending)
      : sendText(deps, publication, open, part.text, sending)
  })
  if (first_comment !== null)
    await sendText(deps, publication, open, first_comment, {
      name: 'comment',
      number: parts.length,
      thread_ts: root.ts,
    })
  return { external_id: root.ts, url: addressOf(publication, root, open) }
}
