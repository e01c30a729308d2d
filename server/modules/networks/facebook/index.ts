import type { Deps } from '../../../lib/deps.ts'
import type { MediaRules } from '../../media/media-rules.ts'
import { checkBy } from '../calls/credentials.ts'
import { type Network, usualPreview } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { askAsPage, describe, PAGE_FIELDS } from './api.ts'
import { metrics } from './metrics.ts'
import { edit, publish, remove } from './publish.ts'
import { signIn } from './sign-in.ts'

const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    const { handle, avatar } = describe(
      await askAsPage(deps, account, { path: '/me', params: { fields: PAGE_FIELDS } }),
    )
    return { handle, avatar }
  })

const upright = { max: 1, mimes: ['video/mp4', 'video/quicktime'], max_bytes: 1_000_000_000, min_duration_s: 3 }
/** 9:16, but for the rounding of odd sizes. */
const UPRIGHT = { min_aspect: 0.55, max_aspect: 0.575 }

const reel: MediaRules = {
  kinds: { video: { ...upright, ...UPRIGHT, max_duration_s: 90 } },
  ...{ max: 1, mixed: false, required: true, max_alt_length: null },
}

const story: MediaRules = {
  kinds: {
    image: { max: 1, mimes: ['image/jpeg', 'image/png'], max_bytes: 4_000_000 },
    video: { ...upright, ...UPRIGHT, max_duration_s: 60 },
  },
  ...{ max: 1, mixed: false, required: true, max_alt_length: 1000 },
}

export const facebook: Network = {
  id: 'facebook',
  name: 'Facebook',
  description: {
    en: 'Publishes on Facebook Pages that you manage, with photos, videos, reels, stories and a first comment.',
    tr: 'Yönettiğiniz Facebook Sayfalarında fotoğraf, video, reels, hikâye ve ilk yorumla yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      { d: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z', fill: '#0866ff' },
      {
        d: 'M10.4 21.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.2c-1.3 0-1.6.7-1.6 1.5V12h2.7l-.4 2.9h-2.3v7z',
        fill: '#ffffff',
      },
    ],
  },
  connect: { kind: 'oauth2', provider: signIn },
  options: [
    {
      key: 'type',
      type: 'select',
      label: { en: 'Publish as', tr: 'Yayın biçimi' },
      choices: [
        { value: 'feed', label: { en: 'Post', tr: 'Gönderi' } },
        {
          value: 'reel',
          shown_as: 'reel',
          label: { en: 'Reel', tr: 'Reels' },
          limits: { max_length: 2200, media: reel },
        },
        {
          value: 'story',
          shown_as: 'story',
          label: { en: 'Story', tr: 'Hikâye' },
          limits: { max_length: 0, media: story, first_comment: false, edit: false, delete: false },
        },
      ],
      default: 'feed',
    },
    {
      key: 'link_preview',
      shown_as: 'link_card',
      type: 'switch',
      label: { en: 'Preview of the first link', tr: 'İlk bağlantının önizlemesi' },
      default: true,
    },
  ],
  capabilities: {
    counting: 'utf16',
    link_length: null,
    short_mentions: false,
    max_length: 63_206,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        // Facebook refuses larger photos of some Pages, and documents no limit of its own for others.
        image: { max: 10, mimes: ['image/jpeg', 'image/png'], max_bytes: 4_000_000 },
        video: { max: 1, mimes: ['video/mp4', 'video/quicktime'], max_bytes: 2_000_000_000, max_duration_s: 14_400 },
      },
      max: 10,
      mixed: false,
      required: false,
      max_alt_length: 1000,
    },
    max_parts: 1,
    first_comment: true,
    link_card: true,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'feed',
    byline: 'time_below',
    is_indented: false,
    // As measured: Facebook documents no number (posttruncate.com/en/platform-limits).
    fold: { characters: 480, lines: 5 },
    // Names in the text of an app become no mentions.
    linked: ['link', 'hashtag'],
    link_color: { light: '#0064d1', dark: '#5aa7ff' },
    files: 'collage',
    link_card: 'large',
    actions: ['thumb', 'comment', 'share'],
    action_labels: true,
  },
  check,
  publish,
  edit,
  remove,
  metrics,
}
