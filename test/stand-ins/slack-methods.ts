import { Refusal, readContent, readMetadata, shown } from './slack-checks.ts'
import type { slackFiles } from './slack-files.ts'
import {
  BOT,
  type Bot,
  channelJson,
  messageJson,
  need,
  pageOf,
  type slackWorkspace,
  TEAM,
  USER,
} from './slack-workspace.ts'

type Fields = Record<string, unknown>
type Workspace = ReturnType<typeof slackWorkspace>
type Files = ReturnType<typeof slackFiles>

/** `at`: when the call arrived, in milliseconds. */
type Methods = Record<string, (fields: Fields, bot: Bot, at: number) => Fields>

const about: Methods = {
  'auth.test': () => ({
    url: `https://${TEAM.domain}.slack.com/`,
    team: TEAM.name,
    team_id: TEAM.id,
    user: 'meydan',
    user_id: USER,
    bot_id: BOT,
    is_enterprise_install: false,
  }),
  'team.info': () => ({ team: { ...TEAM, icon: { image_132: 'https://avatars.slack-edge.com/team_132.png' } } }),
  'users.info': ({ user }) => {
    if (user !== USER) throw new Refusal('user_not_found')
    const profile = { real_name: 'Meydan', image_192: 'https://avatars.slack-edge.com/user_192.png' }
    return { user: { id: USER, team_id: TEAM.id, name: 'meydan', is_bot: true, profile } }
  },
}

const rightToList: Record<string, string> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  mpim: 'mpim:read',
  im: 'im:read',
}

const conversations = ({ channels, channelOf, read }: Workspace): Methods => {
  /** `oldest` and `latest` are excluded unless the call says otherwise. */
  const list = (found: ReturnType<typeof read>, fields: Fields) => {
    const { oldest = '0', latest = '9999999999', inclusive, include_all_metadata } = fields
    const within = found.filter(({ ts }) => {
      if (inclusive === true && (ts === oldest || ts === latest)) return true
      return Number(ts) > Number(oldest) && Number(ts) < Number(latest)
    })
    const { items, next_cursor } = pageOf(within, fields)
    return {
      messages: items.map((message) => messageJson(message, include_all_metadata === true)),
      has_more: next_cursor !== '',
      response_metadata: { next_cursor },
    }
  }

  return {
    'conversations.list': (fields, bot) => {
      const kinds = String(fields.types ?? 'public_channel').split(',')
      for (const kind of kinds) need(bot, rightToList[kind] ?? kind)
      const found = [...channels.values()].filter(
        ({ isPrivate, isMember, isArchived }) =>
          kinds.includes(isPrivate ? 'private_channel' : 'public_channel') &&
          (!isPrivate || isMember) &&
          !(isArchived && fields.exclude_archived === true),
      )
      const { items, next_cursor } = pageOf(found, fields)
      return { channels: items.map(channelJson), response_metadata: { next_cursor } }
    },
    'conversations.info': ({ channel }) => ({ channel: channelJson(channelOf(channel)) }),
    'conversations.join': ({ channel }) => {
      const found = channelOf(channel)
      if (found.isPrivate) throw new Refusal('method_not_supported_for_channel_type')
      if (found.isArchived) throw new Refusal('is_archived')
      found.isMember = true
      return { channel: channelJson(found) }
    },
    /** The newest first. Replies stand only in their thread, unless they were broadcast. */
    'conversations.history': (fields) =>
      list(read(fields.channel, ({ threadTs, isBroadcast }) => !threadTs || isBroadcast).toReversed(), fields),
    /** The first message of the thread, then its replies, the oldest first. */
    'conversations.replies': (fields) => {
      const found = read(fields.channel, ({ ts, threadTs }) => ts === fields.ts || threadTs === fields.ts)
      if (found.length === 0) throw new Refusal('thread_not_found')
      return list(found, fields)
    },
  }
}

const chat = ({ add, channelOf, messageOf, placeOf }: Workspace, { image }: Files): Methods => ({
  'chat.postMessage': (fields, bot, at) => {
    const channel = placeOf(bot, fields.channel, fields.thread_ts)
    const content = readContent(fields, image)
    const metadata = readMetadata(fields.metadata)
    const message = Object.assign(add(channel, content, fields, at), { metadata })
    return { channel: channel.id, ts: message.ts, message: messageJson(message) }
  },
  'chat.update': (fields) => {
    const message = messageOf(fields.channel, fields.ts)
    if (channelOf(fields.channel).isArchived) throw new Refusal('is_inactive')
    if (String(fields.text ?? '').length > 4000) throw new Refusal('msg_too_long')
    const content = readContent(fields, image)
    const metadata = readMetadata(fields.metadata) ?? message.metadata
    Object.assign(message, { content, metadata, sent: fields })
    return { channel: message.channel.id, ts: message.ts, text: fields.text, message: messageJson(message) }
  },
  'chat.delete': ({ channel, ts }) => {
    messageOf(channel, ts).deleted = true
    return { channel, ts }
  },
  'chat.getPermalink': ({ channel, message_ts }) => {
    const { ts, threadTs } = messageOf(channel, message_ts)
    const thread = threadTs ? `?thread_ts=${threadTs}&cid=${channel}` : ''
    const permalink = `https://${TEAM.domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`
    return { channel, permalink }
  },
})

const uploads = ({ add, placeOf }: Workspace, { reserve, info, complete }: Files): Methods => ({
  'files.getUploadURLExternal': reserve,
  'files.info': ({ file }) => info(file),
  /** The response names only the files: `files.info` lists where they were shared. */
  'files.completeUploadExternal': (fields, bot, at) => {
    const channel = fields.channel_id ? placeOf(bot, fields.channel_id, fields.thread_ts) : undefined
    if (channel && !channel.isMember) throw new Refusal('not_in_channel')
    const found = complete(fields.files)
    if (channel && found.every(({ looksLeft }) => Number.isFinite(looksLeft))) {
      const media = found.map(({ type, alt }) => ({ type, alt }))
      const { ts } = add(channel, { text: shown(String(fields.initial_comment ?? '')), media }, fields, at)
      for (const { shares } of found) shares.push({ channel: channel.id, isPrivate: channel.isPrivate, ts })
    }
    return { files: found.map(({ id, title }) => ({ id, title })) }
  },
})

/** The methods of Slack's Web API that a publisher needs. */
export const slackMethods = (workspace: Workspace, files: Files): Methods => ({
  ...about,
  ...conversations(workspace),
  ...chat(workspace, files),
  ...uploads(workspace, files),
})
