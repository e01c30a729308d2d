import { type Network, usualPreview } from '../network.ts'
import { check, connect, edit, publish, remove } from './publish.ts'

/** As Slack documents it, for every kind of file. */
const MAX_BYTES = 1_000_000_000
const files = (...mimes: string[]) => ({ max: 10, mimes, max_bytes: MAX_BYTES })

export const slack: Network = {
  id: 'slack',
  name: 'Slack',
  description: {
    en: 'Publishes in a channel through a webhook, or as a bot with files and threads.',
    tr: 'Bir kanalda webhook ile ya da dosya ve dizi gönderebilen bir botla yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      { d: 'M9 2a2 2 0 0 1 2 2v5H9a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z', fill: '#36c5f0' },
      { d: 'M22 9a2 2 0 0 1-2 2h-5V9a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2z', fill: '#2eb67d' },
      { d: 'M15 22a2 2 0 0 1-2-2v-5h2a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2z', fill: '#ecb22e' },
      { d: 'M2 15a2 2 0 0 1 2-2h5v2a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2z', fill: '#e01e5a' },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'webhook_url',
        label: { en: 'Webhook URL', tr: 'Webhook adresi' },
        type: 'password',
        required: false,
        help: {
          en: 'For texts only. Create an app at api.slack.com/apps, turn on Incoming Webhooks, and copy the address of one. Leave the other fields empty.',
          tr: "Yalnızca metinler için. api.slack.com/apps adresinde bir uygulama oluşturun, Incoming Webhooks'u açın ve adresi kopyalayın. Diğer alanları boş bırakın.",
        },
      },
      {
        key: 'token',
        label: { en: 'Bot token', tr: 'Bot anahtarı' },
        type: 'password',
        required: false,
        help: {
          en: 'In place of a webhook: xoxb-… under OAuth & Permissions of your app. Scopes: chat:write, channels:read, channels:history, files:read and files:write; for private channels groups:read and groups:history.',
          tr: 'Webhook yerine: uygulamanızın OAuth & Permissions sayfasındaki xoxb-…. İzinler: chat:write, channels:read, channels:history, files:read, files:write; özel kanallar için groups:read, groups:history.',
        },
      },
      {
        key: 'channel',
        label: { en: 'Channel of the bot', tr: 'Botun kanalı' },
        type: 'text',
        required: false,
        help: {
          en: 'Name such as #news, or the id of a private channel, shown at the end of its details. First invite the bot there with /invite.',
          tr: '#haberler gibi adı ya da özel kanalın ayrıntılarında en altta yazan kimliği. Önce botu /invite ile kanala çağırın.',
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
      label: { en: 'Preview of links', tr: 'Bağlantıların önizlemesi' },
      default: true,
    },
  ],
  capabilities: {
    counting: 'utf16',
    link_length: null,
    short_mentions: false,
    // Longer texts are cut at 40,000 without a notice, and cannot be edited over 4,000.
    max_length: 4000,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        image: files('image/jpeg', 'image/png', 'image/webp'),
        gif: files('image/gif'),
        video: files('video/mp4', 'video/quicktime', 'video/webm'),
        document: files('application/pdf'),
      },
      max: 10,
      mixed: true,
      required: false,
      max_alt_length: 1000,
    },
    max_parts: 25,
    first_comment: true,
    link_card: true,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'chat',
    avatar: 'square',
    byline: 'time_beside',
    is_indented: true,
    // Mentions are written with ids.
    linked: ['link'],
    link_color: { light: '#1264a3', dark: '#4aa8d8' },
    files: 'mosaic',
    link_card: 'quote',
  },
  check,
  publish,
  edit,
  remove,
}
