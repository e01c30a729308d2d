import type { Deps } from '../../../lib/deps.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { counted, type NetworkMetrics } from '../metrics.ts'
import { type Network, usualPreview } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { type Credentials, callBot } from './bot.ts'
import { check, connect } from './connect.ts'
import { edit, publish, remove } from './publish.ts'

const MAX_BYTES = 50_000_000

async function readAccount(deps: Deps, account: OpenAccount) {
  const { token, chat_id } = credentialsOf<Credentials>(account)
  return counted({ followers: await callBot(deps, token, 'getChatMemberCount', { fields: { chat_id } }) })
}

/** Bots do not see the views of messages. */
const metrics: NetworkMetrics = {
  posts: [],
  account: ['followers'],
  readings: 'often',
  max_posts: 0,
  readAccount,
}

export const telegram: Network = {
  id: 'telegram',
  name: 'Telegram',
  description: {
    en: 'Publishes in a channel or group through a bot of your own.',
    tr: 'Kendi botunuzla bir kanalda ya da grupta yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      { d: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22z', fill: '#2aabee' },
      {
        d: 'M4.600 11.800 18.200 6.500 16 17.500 11.700 14.400 9.500 16.500 9.200 13.300 15.300 8.700 7.900 12.900z',
        fill: '#ffffff',
      },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'token',
        label: { en: 'Bot token', tr: 'Bot anahtarı' },
        type: 'password',
        required: true,
        help: {
          en: 'In Telegram, open @BotFather, send /newbot, and copy the token that it shows.',
          tr: "Telegram'da @BotFather'ı açın, /newbot gönderin ve gösterdiği anahtarı (token) kopyalayın.",
        },
      },
      {
        key: 'chat',
        label: { en: 'Channel or group', tr: 'Kanal ya da grup' },
        type: 'text',
        required: true,
        help: {
          en: 'Its name such as @news, or its number such as -1001234567890. First add the bot: to a channel as an administrator who may post messages, to a group as a member.',
          tr: '@haberler gibi adı ya da -1001234567890 gibi numarası. Önce botu ekleyin: kanala ileti gönderebilen yönetici olarak, gruba üye olarak.',
        },
      },
    ],
    submit: connect,
  },
  options: [
    {
      key: 'link_preview',
      shown_as: 'link_card',
      type: 'switch',
      label: { en: 'Preview of the link', tr: 'Bağlantının önizlemesi' },
      help: { en: 'Shows the first link of the text as a card.', tr: 'Metindeki ilk bağlantıyı kart olarak gösterir.' },
      default: true,
    },
    {
      key: 'silent',
      type: 'switch',
      label: { en: 'Send silently', tr: 'Sessiz gönder' },
      help: { en: 'Notifies readers without a sound.', tr: 'Okurlara sessiz bildirim gider.' },
      default: false,
    },
    {
      key: 'topic_id',
      type: 'text',
      label: { en: 'Topic', tr: 'Konu' },
      help: {
        en: 'Number of a topic of a group with topics: the last but one in the link of a message, such as 12 in t.me/c/1234567890/12/345.',
        tr: 'Konulu gruplarda konunun numarası: bir iletinin bağlantısında sondan bir önceki sayı; t.me/c/1234567890/12/345 için 12.',
      },
      max_length: 10,
      pattern: '^\\d*$',
    },
  ],
  capabilities: {
    counting: 'utf16',
    link_length: null,
    short_mentions: false,
    max_length: 4096,
    max_length_with_media: 1024,
    max_bytes: null,
    media: {
      kinds: {
        image: {
          max: 10,
          mimes: ['image/jpeg', 'image/png', 'image/webp'],
          max_bytes: 10_000_000,
          max_width_plus_height: 10_000,
          min_aspect: 1 / 20,
          max_aspect: 20,
        },
        gif: { max: 1, mimes: ['image/gif'], max_bytes: MAX_BYTES, alone: true },
        video: { max: 10, mimes: ['video/mp4'], max_bytes: MAX_BYTES },
        document: { max: 10, mimes: ['application/pdf'], max_bytes: MAX_BYTES, alone: true },
      },
      max: 10,
      mixed: true,
      required: false,
      max_alt_length: null,
    },
    max_parts: 25,
    first_comment: false,
    link_card: true,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'bubble',
    avatar: 'none',
    byline: 'time_below',
    is_indented: false,
    linked: ['link', 'mention', 'hashtag'],
    link_color: { light: '#1472ad', dark: '#71baf2' },
    files: 'mosaic',
    link_card: 'quote',
  },
  check,
  publish,
  edit,
  remove,
  metrics,
}
