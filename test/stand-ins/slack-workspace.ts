import { type Content, Refusal } from './slack-checks.ts'

type Fields = Record<string, unknown>

type Channel = { id: string; name: string; isPrivate: boolean; isMember: boolean; isArchived: boolean }

export type Bot = { token: string; scopes: string[]; state: 'live' | 'token_revoked' | 'account_inactive' }

type Message = {
  ts: string
  channel: Channel
  content: Content
  /** The arguments of the call. */
  sent: Fields
  metadata: Fields | undefined
  threadTs: string | undefined
  isBroadcast: boolean
  deleted: boolean
}

export const TEAM = { id: 'T012AB3C4', name: 'Stand-in', domain: 'stand-in' }
export const USER = 'U0BOT00001'
export const BOT = 'B0BOT00001'

/** Refuses a call that a bot has no right to. */
export function need({ scopes }: Bot, needed: string) {
  if (!scopes.includes(needed)) throw new Refusal('missing_scope', { needed, provided: scopes.join(',') })
}

/** Takes a page of at most 999, 100 unless the call says otherwise. */
export function pageOf<T>(all: T[], { limit, cursor }: Fields) {
  const start = Number(cursor || 0)
  const end = start + Math.min(Number(limit || 100), 999)
  return { items: all.slice(start, end), next_cursor: all.length > end ? String(end) : '' }
}

export const channelJson = ({ id, name, isPrivate, isMember, isArchived }: Channel) => ({
  id,
  name,
  is_channel: !isPrivate,
  is_group: isPrivate,
  is_private: isPrivate,
  is_archived: isArchived,
  is_member: isMember,
})

/** Without `allMetadata`, Slack leaves out the payload. */
export const messageJson = ({ ts, sent, metadata, threadTs, isBroadcast }: Message, allMetadata = true) => ({
  type: 'message',
  ...(isBroadcast && { subtype: 'thread_broadcast' }),
  user: USER,
  bot_id: BOT,
  app_id: 'A0BOT00001',
  team: TEAM.id,
  ts,
  text: String(sent.text ?? sent.markdown_text ?? sent.initial_comment ?? '').slice(0, 40_000),
  ...(sent.blocks !== undefined && { blocks: sent.blocks }),
  ...(threadTs && { thread_ts: threadTs }),
  ...(metadata && { metadata: allMetadata ? metadata : { event_type: metadata.event_type } }),
})

/** Channels and messages of a workspace. */
export function slackWorkspace() {
  const channels = new Map<string, Channel>()
  const messages: Message[] = []
  let ids = 0
  let clock = 0

  /** Time of a message in microseconds, which is its id in a channel. */
  const newTs = (at: number) => {
    clock = Math.max(clock + 1, at * 1000)
    return `${Math.floor(clock / 1e6)}.${String(clock % 1e6).padStart(6, '0')}`
  }

  function channelOf(id: unknown): Channel {
    const channel = channels.get(String(id))
    if (!channel || (channel.isPrivate && !channel.isMember)) throw new Refusal('channel_not_found')
    return channel
  }

  const find = (channel: Channel, ts: unknown) =>
    messages.find((each) => each.channel === channel && each.ts === ts && !each.deleted)

  return {
    channels,
    messages,
    newId: (prefix: string) => `${prefix}${String(++ids).padStart(10, '0')}`,
    channelOf,
    find,
    messageOf: (channel: unknown, ts: unknown) => {
      const found = find(channelOf(channel), ts)
      if (!found) throw new Refusal('message_not_found')
      return found
    },
    /** The channel for a post, if this bot may post there. A channel has an id, and a name after `#`. */
    placeOf: ({ scopes }: Bot, id: unknown, threadTs: unknown): Channel => {
      const channel = [...channels.values()].find(({ name }) => `#${name}` === id) ?? channelOf(id)
      if (channel.isArchived) throw new Refusal('is_archived')
      if (!channel.isMember && !scopes.includes('chat:write.public')) throw new Refusal('not_in_channel')
      const parent = threadTs ? find(channel, threadTs) : undefined
      // A reply names the first message of its thread, never another reply.
      if (threadTs && (!parent || parent.threadTs)) throw new Refusal('cannot_reply_to_message')
      return channel
    },
    add: (channel: Channel, content: Content, sent: Fields, at: number): Message => {
      const threadTs = typeof sent.thread_ts === 'string' && sent.thread_ts ? sent.thread_ts : undefined
      const about = { ts: newTs(at), threadTs, isBroadcast: sent.reply_broadcast === true, metadata: undefined }
      const message: Message = { ...about, channel, content, sent, deleted: false }
      messages.push(message)
      return message
    },
    /** Messages that a bot reads in a channel that it is in, in the order of posting. */
    read: (id: unknown, wanted: (message: Message) => boolean) => {
      const channel = channelOf(id)
      if (!channel.isMember) throw new Refusal('not_in_channel')
      return messages.filter((each) => each.channel === channel && !each.deleted && wanted(each))
    },
  }
}
