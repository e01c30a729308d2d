import { type Network, usualPreview } from '../network.ts'
import { connectByKeys, keyFields } from './keys.ts'
import { mentions } from './mentions.ts'
import { metrics } from './metrics.ts'
import { check, publish, remove } from './publish.ts'
import { signIn } from './sign-in.ts'

export const x: Network = {
  id: 'x',
  name: 'X',
  description: {
    en: 'Publishes to an account on X, formerly Twitter. X charges for each post.',
    tr: "X'te (eski adıyla Twitter) bir hesapta yayımlar. X her gönderi için ücret alır.",
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M3 3h4.9l4.6 6.2L18 3h2.4l-6.8 7.7L21.2 21h-4.9l-5.1-6.8L5.2 21H2.8l7.3-8.3zm3.5 1.7 10.6 14.6h1.1L7.7 4.7z',
        fill: null,
      },
    ],
  },
  connect: { kind: 'oauth2', provider: signIn, form: { fields: keyFields, submit: connectByKeys } },
  options: [
    {
      key: 'reply_settings',
      type: 'select',
      label: { en: 'Replies', tr: 'Yanıtlar' },
      help: { en: 'Who may reply.', tr: 'Kimlerin yanıt verebileceği.' },
      choices: [
        { value: 'everyone', label: { en: 'Everyone', tr: 'Herkes' } },
        { value: 'following', label: { en: 'People you follow', tr: 'Takip ettikleriniz' } },
        { value: 'mentionedUsers', label: { en: 'Mentioned people', tr: 'Anılan kişiler' } },
        { value: 'subscribers', label: { en: 'Your subscribers', tr: 'Aboneleriniz' } },
        { value: 'verified', label: { en: 'Verified accounts', tr: 'Onaylı hesaplar' } },
      ],
      default: 'everyone',
    },
    {
      key: 'made_with_ai',
      shown_as: 'note',
      type: 'switch',
      label: { en: 'Made with AI', tr: 'Yapay zekâ ile yapıldı' },
      default: false,
    },
    {
      key: 'paid_partnership',
      shown_as: 'note',
      type: 'switch',
      label: { en: 'Paid partnership', tr: 'Ücretli iş birliği' },
      default: false,
    },
  ],
  capabilities: {
    counting: 'weighted',
    link_length: 23,
    short_mentions: false,
    max_length: 280,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        image: { max: 4, mimes: ['image/jpeg', 'image/png', 'image/webp'], max_bytes: 5_000_000 },
        gif: { max: 1, mimes: ['image/gif'], max_bytes: 15_000_000, max_width: 1280, max_height: 1080 },
        video: { max: 1, mimes: ['video/mp4'], max_bytes: 512_000_000, min_duration_s: 0.5, max_duration_s: 140 },
      },
      max: 4,
      mixed: false,
      required: false,
      max_alt_length: 1000,
    },
    max_parts: 25,
    first_comment: true,
    link_card: true,
    edit: false,
    delete: true,
  },
  pricing: {
    post: 15_000,
    post_with_link: 200_000,
    alt_text: 5000,
    read: 5000,
    delete: 10_000,
    as_of: '2026-08-22',
    source: 'https://docs.x.com/x-api/getting-started/pricing',
  },
  preview: {
    ...usualPreview,
    handle_prefix: '@',
    layout: 'feed',
    byline: 'handle_beside',
    is_indented: true,
    linked: ['link', 'mention', 'hashtag'],
    shortens_links: true,
    link_color: { light: '#0f6fb4', dark: '#3aa6f2' },
    files: 'grid',
    link_card: 'overlay',
    actions: ['reply', 'repost', 'like', 'bookmark', 'share'],
  },
  check,
  publish,
  remove,
  mentions,
  metrics,
}
