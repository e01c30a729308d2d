import { Refusal, readContent, readMetadata, shown } from './slack-checks.ts'
import type { slackFiles } from './slack-files.ts'
import {
  BOT,
  type Bot,
  channelJson,
  isTrue,
  messageJson,
  pageOf,
  type slackWorkspace,
  TEAM,
  USER,
} from './slack-workspace.ts'

type Fields = Record<string, unknown>
type Workspace = ReturnType<typeof slackWorkspace>
type Files = ReturnType<typeof slackFiles>

type Method = {
  scope?: string
  /** Takes arguments from the query or a form only: Slack ignores a JSON body there. */
  noJson?: boolean
  /** `at`: when the call arrived, in milliseconds. */
  run: (fields: Fields, bot: Bot, at: number) => Fields
}

type Methods = Record<string, Method>

const about: Methods = {
  'auth.test': {
    noJson: true,
    run: () => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      team_id: TEAM.id,
      user: 'meydan',
      user_id: USER,
      bot_id: BOT,
      is_enterprise_install: false,
    }),
  },
  'team.info': {
    scope: 'team:read',
    noJson: true,
    run: () => ({ team: { ...TEAM, icon: { image_132: 'https://avatars.slack-edge.com/team_132.png' } } }),
  },
  'users.info': {
    scope: 'users:read',
    noJson: true,
    run: ({ user }) => {
      if (user !== USER) throw new Refusal('user_not_found')
      const profile = { real_name: 'Meydan', image_192: 'https://avatars.slack-edge.com/user_192.png' }
      return { user: { id: USER, team_id: TEAM.id, name: 'meydan', is_bot: true, profile } }
    },
  },
}

const conversations = ({ channels, channelOf, read }: Workspace): Methods => {
  /** `oldest` and `latest` are excluded unless the call says otherwise. */
  const list = (found: ReturnType<typeof read>, fields: Fields) => {
    const { oldest = '0', latest = '9999999999', inclusive, include_all_metadata } = fields
    const within = found.filter(({ ts }) => {
      if (isTrue(inclusive) && (ts === oldest || ts === latest)) return true
      return Number(ts) > Number(oldest) && Number(ts) < Number(latest)
    })
    const { items, next_cursor } = pageOf(within, fields)
    return {
      messages: items.map((message) => messageJson(message, isTrue(include_all_metadata))),
      has_more: next_cursor !== '',
      response_metadata: { next_cursor },
    }
  }

  return {
    'conversations.list': {
      scope: 'channels:read',
      noJson: true,
      run: (fields, { scopes }) => {
        const kinds = String(fields.types ?? 'public_channel').split(',')
        if (kinds.includes('private_channel') && !scopes.includes('groups:read'))
          throw new Refusal('missing_scope', { needed: 'groups:read', provided: scopes.join(',') })
        const found = [...channels.values()].filter(
          ({ isPrivate, isMember, isArchived }) =>
            kinds.includes(isPrivate ? 'private_channel' : 'public_channel') &&
            (!isPrivate || isMember) &&
            !(isArchived && isTrue(fields.exclude_archived)),
        )
        const { items, next_cursor } = pageOf(found, fields)
        return { channels: items.map(channelJson), response_metadata: { next_cursor } }
      },
    },
    'conversations.info': {
      scope: 'channels:read',
      noJson: true,
      run: ({ channel }) => ({ channel: channelJson(channelOf(channel)) }),
    },
    'conversations.join': {
      scope: 'channels:join',
      run: ({ channel }) => {
        const found = channelOf(channel)
        if (found.isPrivate) throw new Refusal('method_not_supported_for_channel_type')
        if (found.isArchived) throw new Refusal('is_archived')
        found.isMember = true
        return { channel: channelJson(found) }
      },
    },
    /** The newest first. Replies stand only in their thread, unless they were broadcast. */
    'conversations.history': {
      scope: 'channels:history',
      noJson: true,
      run: (fields) =>
        list(read(fields.channel, ({ threadTs, isBroadcast }) => !threadTs || isBroadcast).toReversed(), fields),
    },
    /** The first message of the thread, then its replies, the oldest first. */
    'conversations.replies': {
      scope: 'channels:history',
      noJson: true,
      run: (fields) => {
        const found = read(fields.channel, ({ ts, threadTs }) => ts === fields.ts || threadTs === fields.ts)
        if (found.length === 0) throw new Refusal('thread_not_found')
        return list(found, fields)
      },
    },
  }
}

const chat = ({ add, channelOf, messageOf, placeOf }: Workspace, { image }: Files): Methods => ({
  'chat.postMessage': {
    scope: 'chat:write',
    run: (fields, bot, at) => {
      const channel = placeOf(bot, fields.channel, fields.thread_ts)
      const content = readContent(fields, image)
      const metadata = readMetadata(fields.metadata)
      const message = Object.assign(add(channel, content, fields, at), { metadata })
      return { channel: channel.id, ts: message.ts, message: messageJson(message) }
    },
  },
  'chat.update': {
    scope: 'chat:write',
    run: (fields) => {
      const message = messageOf(fields.channel, fields.ts)
      if (channelOf(fields.channel).isArchived) throw new Refusal('is_inactive')
      if (String(fields.text ?? '').length > 4000) throw new Refusal('msg_too_long')
      const content = readContent(fields, image)
      const metadata = readMetadata(fields.metadata) ?? message.metadata
      Object.assign(message, { content, metadata, sent: fields })
      return { channel: message.channel.id, ts: message.ts, text: fields.text, message: messageJson(message) }
    },
  },
  'chat.delete': {
    scope: 'chat:write',
    run: ({ channel, ts }) => {
      messageOf(channel, ts).deleted = true
      return { channel, ts }
    },
  },
  'chat.getPermalink': {
    noJson: true,
    run: ({ channel, message_ts }) => {
      const { ts, threadTs } = messageOf(channel, message_ts)
      const thread = threadTs ? `?thread_ts=${threadTs}&cid=${channel}` : ''
      const permalink = `https://${TEAM.domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`
      return { channel, permalink }
    },
  },
})

const uploads = ({ add, placeOf }: Workspace, { reserve, info, complete }: Files): Methods => ({
  'files.getUploadURLExternal': { scope: 'files:write', noJson: true, run: reserve },
  'files.info': { scope: 'files:read', noJson: true, run: ({ file }) => info(file) },
  /** The response names only the files: `files.info` lists where they were shared. */
  'files.completeUploadExternal': {
    scope: 'files:write',
    run: (fields, bot, at) => {
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
  },
})

/** The methods of Slack's Web API that a publisher needs. */
export const slackMethods = (workspace: Workspace, files: Files): Methods => ({
  ...about,
  ...conversations(workspace),
  ...chat(workspace, files),
  ...uploads(workspace, files),
})
