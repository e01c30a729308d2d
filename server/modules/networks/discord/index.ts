import { type Network, usualPreview } from '../network.ts'
import { check, connect } from './connect.ts'
import { edit, publish, remove } from './publish.ts'

/** Servers with boosts take more, which a webhook cannot find out. */
const MAX_BYTES = 10 * 1024 * 1024
const files = (...mimes: string[]) => ({ max: 10, mimes, max_bytes: MAX_BYTES })

/** Discord refuses its own names, those of everybody, and code, in the name of a webhook. */
const USERNAME =
  '^(?![Ee][Vv][Ee][Rr][Yy][Oo][Nn][Ee]$|[Hh][Ee][Rr][Ee]$)(?!.*([Dd][Ii][Ss][Cc][Oo][Rr][Dd]|[Cc][Ll][Yy][Dd][Ee]|```)).*$'

export const discord: Network = {
  id: 'discord',
  name: 'Discord',
  description: {
    en: 'Publishes in a channel of a server through a webhook.',
    tr: 'Bir sunucunun kanalında webhook ile yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M7 4.5h10a5 5 0 0 1 5 5v4.5a5 5 0 0 1-5 5h-1.5L14 17h-4l-1.5 2H7a5 5 0 0 1-5-5V9.5a5 5 0 0 1 5-5z',
        fill: '#5865f2',
      },
      { d: 'M8.5 9.5a1.8 2.2 0 1 0 0 4.4 1.8 2.2 0 0 0 0-4.4z', fill: '#ffffff' },
      { d: 'M15.5 9.5a1.8 2.2 0 1 0 0 4.4 1.8 2.2 0 0 0 0-4.4z', fill: '#ffffff' },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'webhook_url',
        label: { en: 'Webhook URL', tr: 'Webhook adresi' },
        type: 'password',
        required: true,
        help: {
          en: 'In Discord, open Edit Channel > Integrations > Webhooks, create one and choose Copy Webhook URL. Whoever has it can post there.',
          tr: "Discord'da Kanalı Düzenle > Entegrasyonlar > Webhook'lar altında bir tane oluşturup adresini kopyalayın. Bu adresi bilen herkes orada yayımlayabilir.",
        },
      },
    ],
    submit: connect,
  },
  options: [
    {
      key: 'username',
      shown_as: 'sender',
      type: 'text',
      label: { en: 'Name of the sender', tr: 'Gönderen adı' },
      help: { en: 'Shown in place of the name of the webhook.', tr: 'Webhook adı yerine gösterilir.' },
      max_length: 80,
      pattern: USERNAME,
    },
    {
      key: 'mentions',
      type: 'select',
      label: { en: 'Notify those who are mentioned', tr: 'Anılanlara bildirim' },
      choices: [
        { value: 'none', label: { en: 'Nobody', tr: 'Hiç kimse' } },
        { value: 'users', label: { en: 'People', tr: 'Kişiler' } },
        { value: 'all', label: { en: 'People, roles and @everyone', tr: 'Kişiler, roller ve @everyone' } },
      ],
      default: 'none',
    },
    {
      key: 'silent',
      type: 'switch',
      label: { en: 'Send silently', tr: 'Sessiz gönder' },
      help: { en: 'Sends no push notification.', tr: 'Anlık bildirim gönderilmez.' },
      default: false,
    },
    {
      key: 'suppress_embeds',
      shown_as: 'no_link_card',
      type: 'switch',
      label: { en: 'Without previews of links', tr: 'Bağlantı önizlemesi olmadan' },
      default: false,
    },
    {
      key: 'thread_name',
      shown_as: 'title',
      type: 'text',
      label: { en: 'Title in a forum', tr: 'Forumdaki başlık' },
      help: {
        en: 'Opens a post with this title. Forum channels need it, or a thread.',
        tr: 'Bu başlıkla bir gönderi açar. Forum kanallarında bu ya da bir alt başlık gerekir.',
      },
      max_length: 100,
    },
    {
      key: 'thread_id',
      type: 'text',
      label: { en: 'ID of a thread', tr: 'Alt başlık numarası' },
      help: {
        en: 'Id of a thread of the channel: the last number in its link.',
        tr: 'Kanaldaki bir alt başlığın numarası: bağlantısındaki son sayı.',
      },
      max_length: 20,
      pattern: '^\\d*$',
    },
  ],
  capabilities: {
    // Discord names no unit. No other one counts more.
    counting: 'utf16',
    link_length: null,
    short_mentions: false,
    max_length: 2000,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        image: files('image/jpeg', 'image/png', 'image/webp'),
        gif: files('image/gif', 'image/webp'),
        video: files('video/mp4', 'video/webm', 'video/quicktime'),
        document: files('application/pdf'),
      },
      max: 10,
      mixed: true,
      required: false,
      max_alt_length: 1024,
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
    layout: 'chat',
    byline: 'time_beside',
    is_indented: true,
    // Mentions are written with ids.
    linked: ['link'],
    link_color: { light: '#0068d9', dark: '#4db5fc' },
    files: 'mosaic',
    link_card: 'quote',
  },
  check,
  publish,
  edit,
  remove,
}
