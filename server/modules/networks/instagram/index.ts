import type { Deps } from '../../../lib/deps.ts'
import type { MediaRules } from '../../media/media-rules.ts'
import { checkBy } from '../calls/credentials.ts'
import { type Network, usualPreview } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { describe, type InstagramApi, NAME_FIELDS, ownApi } from './api.ts'
import { metricsBy } from './metrics.ts'
import { publishBy } from './publish.ts'
import { signIn } from './sign-in.ts'

const checkWith =
  ({ ask, pathOf }: InstagramApi) =>
  (deps: Deps, account: OpenAccount) =>
    checkBy(async () => {
      const request = { path: pathOf(account), params: { fields: NAME_FIELDS } }
      const { handle, avatar } = describe(await ask(deps, account, request))
      return { handle, avatar }
    })

const video = { mimes: ['video/mp4', 'video/quicktime'], min_duration_s: 3 }
const picture = { mimes: ['image/jpeg'], max_bytes: 8_000_000 }

const feed: MediaRules = {
  kinds: {
    image: { ...picture, max: 10, min_aspect: 0.8, max_aspect: 1.91 },
    video: { ...video, max: 10, max_bytes: 300_000_000, max_duration_s: 900 },
  },
  max: 10,
  mixed: true,
  required: true,
  max_alt_length: 1000,
}

const story: MediaRules = {
  kinds: {
    image: { ...picture, max: 1 },
    video: { ...video, max: 1, max_bytes: 100_000_000, max_duration_s: 60 },
  },
  max: 1,
  mixed: false,
  required: true,
  max_alt_length: null,
}

const shared = {
  icon: {
    view_box: '0 0 24 24',
    paths: [
      { d: 'M6 0h12a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6z', fill: '#d62976' },
      {
        d: 'M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zm0 1.8A2.2 2.2 0 0 0 5.8 8v8A2.2 2.2 0 0 0 8 18.2h8a2.2 2.2 0 0 0 2.2-2.2V8A2.2 2.2 0 0 0 16 5.8zM12 7.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zm0 1.7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM16.4 6.6a1 1 0 1 1 0 2 1 1 0 0 1 0-2z',
        fill: '#ffffff',
      },
    ],
  },
  options: [
    {
      key: 'type',
      type: 'select',
      label: { en: 'Publish as', tr: 'Yayın biçimi' },
      help: {
        en: 'In the feed, one video is a reel, and several files are a carousel. A story ends after 24 hours.',
        tr: 'Akışta tek video reels, birden çok dosya kaydırmalı gönderi olur. Hikâye 24 saat sonra kalkar.',
      },
      choices: [
        { value: 'feed', label: { en: 'Post in the feed', tr: 'Akışta gönderi' } },
        {
          value: 'story',
          shown_as: 'story',
          label: { en: 'Story', tr: 'Hikâye' },
          limits: { max_length: 0, media: story, first_comment: false },
        },
      ],
      default: 'feed',
    },
    {
      key: 'collaborators',
      shown_as: 'authors',
      type: 'list',
      label: { en: 'Collaborators', tr: 'Ortak yazarlar' },
      help: {
        en: 'Names of up to three public accounts. The post shows on their profiles once they accept.',
        tr: 'En çok üç herkese açık hesabın adı. Kabul ettiklerinde gönderi onların profilinde de görünür.',
      },
      max_items: 3,
      max_length: 31,
      pattern: '^@?[A-Za-z0-9._]{1,30}$',
    },
    {
      key: 'share_to_feed',
      type: 'switch',
      label: { en: 'Show a reel in the feed, too', tr: 'Reels akışta da görünsün' },
      default: true,
    },
    {
      key: 'cover_second',
      type: 'text',
      label: { en: 'Cover of a reel', tr: 'Reels kapağı' },
      help: {
        en: 'Second of the video whose frame is the cover, such as 2.5. The first frame by default.',
        tr: 'Karesi kapak olacak saniye, 2.5 gibi. Boşsa ilk kare.',
      },
      max_length: 6,
      pattern: '^(\\d{1,3}(\\.\\d{1,2})?)?$',
    },
  ],
  capabilities: {
    counting: 'utf16',
    link_length: null,
    short_mentions: false,
    max_length: 2200,
    max_length_with_media: null,
    max_bytes: null,
    media: feed,
    max_parts: 1,
    first_comment: true,
    link_card: false,
    edit: false,
    delete: false,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'media_first',
    byline: 'handle_alone',
    is_indented: false,
    // As measured: Instagram documents no number (posttruncate.com/en/platform-limits).
    fold: { characters: 125, lines: 2 },
    // Links in captions lead nowhere.
    linked: ['mention', 'hashtag'],
    link_color: { light: '#385185', dark: '#aebfe8' },
    files: 'carousel',
    one_video: 'reel',
    actions: ['like', 'reply', 'repost', 'send', 'bookmark'],
  },
} satisfies Partial<Network>

/** The fields that both networks of Instagram share. */
export const instagramBy = (api: InstagramApi) => ({
  ...shared,
  check: checkWith(api),
  publish: publishBy(api),
  metrics: metricsBy(api),
})

export const instagram: Network = {
  ...instagramBy(ownApi),
  id: 'instagram',
  name: 'Instagram',
  description: {
    en: 'Publishes on professional accounts of Instagram: pictures, carousels, reels and stories.',
    tr: "Instagram'ın profesyonel hesaplarında yayımlar: resim, kaydırmalı gönderi, reels ve hikâye.",
  },
  connect: { kind: 'oauth2', provider: signIn },
}
