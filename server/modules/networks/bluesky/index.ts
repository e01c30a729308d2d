import type { Network } from '../network.ts'
import { check, connect, DEFAULT_SERVICE, prepare } from './connect.ts'
import { publish } from './publish.ts'

export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  description: {
    en: 'Publishes to a Bluesky account on bsky.social or any other server.',
    tr: 'bsky.social ya da başka bir sunucudaki Bluesky hesabında yayınlar.',
  },
  icon: {
    view_box: '-0.31 0 24.62 24.62',
    paths: [
      {
        d: 'M12 10.9C10.9 8.8 8 4.9 5.3 3 2.7 1.1 1.7 1.5 1.1 1.8.3 2.1 0 3.4 0 4.1c0 .8.4 6.2.7 7.1.9 3 4 4 6.9 3.7-4.2.6-8 2.1-3.1 7.6 5.4 5.6 7.4-1.2 8.4-4.6 1 3.4 2.2 9.9 8.3 4.6 4.6-4.6 1.3-7-2.9-7.6 2.9.3 6-.7 6.9-3.7.3-.9.7-6.3.7-7.1 0-.7-.1-2-1-2.3-.7-.3-1.6-.7-4.2 1.2C16 4.9 13.1 8.8 12 10.9z',
        fill: '#1185fe',
      },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'service',
        label: { en: 'Server', tr: 'Sunucu' },
        type: 'url',
        required: false,
        default: DEFAULT_SERVICE,
        help: {
          en: 'Change this only if your account is on another server.',
          tr: 'Yalnızca hesabınız başka bir sunucudaysa değiştirin.',
        },
      },
      {
        key: 'handle',
        label: { en: 'Handle', tr: 'Kullanıcı adı' },
        type: 'text',
        required: true,
        help: {
          en: 'For example you.bsky.social, without the @',
          tr: 'Örneğin siz.bsky.social; @ işareti olmadan',
        },
      },
      {
        key: 'app_password',
        label: { en: 'App password', tr: 'Uygulama parolası' },
        type: 'password',
        required: true,
        help: {
          en: 'Create one in Bluesky under Settings > Privacy and security > App passwords. Do not enter your account password.',
          tr: "Bluesky'da Ayarlar > Gizlilik ve güvenlik > Uygulama şifreleri altında oluşturun. Hesap parolanızı girmeyin.",
        },
      },
    ],
    submit: connect,
  },
  options: [
    {
      key: 'langs',
      type: 'list',
      label: { en: 'Languages', tr: 'Diller' },
      help: { en: 'Languages of the text, such as en or tr.', tr: 'Metnin dilleri; örneğin tr ya da en.' },
      max_items: 3,
      max_length: 20,
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    },
  ],
  capabilities: {
    counting: 'graphemes',
    link_length: null,
    short_mentions: false,
    max_length: 300,
    max_length_with_media: null,
    max_bytes: 3000,
    media: null,
    max_parts: 25,
    first_comment: false,
    link_card: false,
    edit: false,
    delete: false,
  },
  preview: { handle_prefix: '@', actions: ['reply', 'repost', 'like', 'more'] },
  check,
  prepare,
  publish,
}
