import type { Deps } from '../../../lib/deps.ts'
import { checkBy } from '../calls/credentials.ts'
import { type Network, usualPreview } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { ACCOUNT_FIELDS, ask, describe } from './api.ts'
import { metrics } from './metrics.ts'
import { publish, remove } from './publish.ts'
import { signIn } from './sign-in.ts'

const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    const { handle, avatar } = describe(await ask(deps, account, { path: '/me', params: { fields: ACCOUNT_FIELDS } }))
    return { handle, avatar }
  })

export const threads: Network = {
  id: 'threads',
  name: 'Threads',
  description: {
    en: 'Publishes on Threads, with pictures, videos and threads of several posts.',
    tr: "Threads'te resim, video ve birkaç bölümlük dizilerle yayımlar.",
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M6 0h12a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6z',
        fill: '#000000',
      },
      {
        d: 'M12 4a8 8 0 1 0 4.6 14.55l-1.15-1.64A6 6 0 1 1 18 12v1a1.25 1.25 0 0 1-2.5 0V8.75h-2v.57a3.5 3.5 0 1 0 .56 4.96A3.25 3.25 0 0 0 20 13v-1a8 8 0 0 0-8-8zm-.5 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
        fill: '#ffffff',
      },
    ],
  },
  connect: { kind: 'oauth2', provider: signIn },
  options: [
    {
      key: 'reply_control',
      type: 'select',
      label: { en: 'Who can reply', tr: 'Kimler yanıtlayabilir' },
      choices: [
        { value: 'everyone', label: { en: 'Everyone', tr: 'Herkes' } },
        { value: 'accounts_you_follow', label: { en: 'Accounts that you follow', tr: 'Takip ettiğiniz hesaplar' } },
        { value: 'mentioned_only', label: { en: 'Mentioned accounts', tr: 'Anılan hesaplar' } },
      ],
      default: 'everyone',
    },
    {
      key: 'topic_tag',
      shown_as: 'topic',
      type: 'text',
      label: { en: 'Topic', tr: 'Konu' },
      help: {
        en: 'One topic, without #, a period or an ampersand.',
        tr: '#, nokta ve & olmadan tek bir konu.',
      },
      max_length: 50,
      pattern: '^[^.&#]*$',
    },
  ],
  capabilities: {
    counting: 'emoji_bytes',
    link_length: null,
    short_mentions: false,
    max_length: 500,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        image: { max: 20, mimes: ['image/jpeg', 'image/png'], max_bytes: 8_000_000, min_aspect: 0.1, max_aspect: 10 },
        video: { max: 20, mimes: ['video/mp4', 'video/quicktime'], max_bytes: 1_000_000_000, max_duration_s: 300 },
      },
      max: 20,
      mixed: true,
      required: false,
      max_alt_length: 1000,
    },
    max_parts: 25,
    first_comment: false,
    link_card: true,
    edit: false,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '@',
    layout: 'feed',
    byline: 'handle_alone',
    is_indented: true,
    linked: ['link', 'mention', 'hashtag'],
    shortens_links: true,
    link_color: { light: '#0f6fb4', dark: '#5aa7ff' },
    files: 'row',
    link_card: 'large',
    actions: ['like', 'reply', 'repost', 'send'],
  },
  check,
  publish,
  remove,
  metrics,
}
