import type { Capabilities } from '../capabilities.ts'
import { type Network, usualPreview } from '../network.ts'
import type { OptionField } from '../options.ts'
import { mentions } from './mentions.ts'
import { pageMetrics } from './metrics.ts'
import { check, publish, remove } from './publish.ts'
import { memberSignIn, pageSignIn } from './sign-in.ts'

const icon: Network['icon'] = {
  view_box: '0 0 24 24',
  paths: [
    { d: 'M2 0h20a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z', fill: '#0a66c2' },
    { d: 'M5.3 3.3a2.05 2.05 0 1 1 0 4.1 2.05 2.05 0 0 1 0-4.1zM3.5 9h3.6v11.4H3.5z', fill: '#ffffff' },
    {
      d: 'M9.4 9h3.4v1.6c.5-.9 1.7-1.9 3.4-1.9 3.6 0 4.3 2.4 4.3 5.5v6.2h-3.6v-5.5c0-1.3 0-3-1.8-3s-2.1 1.4-2.1 2.9v5.6H9.4z',
      fill: '#ffffff',
    },
  ],
}

const title: OptionField = {
  key: 'title',
  shown_as: 'media_title',
  type: 'text',
  label: { en: 'Title', tr: 'Başlık' },
  help: { en: 'Title of the document, the video or the link.', tr: 'Belgenin, videonun ya da bağlantının başlığı.' },
  max_length: 200,
}

const article: OptionField = {
  key: 'article_url',
  shown_as: 'card_link',
  type: 'text',
  label: { en: 'Link card', tr: 'Bağlantı kartı' },
  help: {
    en: 'Address shown as a card below the text: LinkedIn makes none of links in it. Not used beside files.',
    tr: 'Metnin altında kart olarak gösterilen adres: LinkedIn metindeki bağlantılardan kart yapmaz. Dosyalarla birlikte kullanılmaz.',
  },
  max_length: 2000,
  pattern: '^(https?://[^\\s/]+\\.[^\\s]+)?$',
}

const visibility: OptionField = {
  key: 'visibility',
  type: 'select',
  label: { en: 'Visibility', tr: 'Görünürlük' },
  choices: [
    { value: 'PUBLIC', label: { en: 'Everyone', tr: 'Herkes' } },
    { value: 'CONNECTIONS', label: { en: 'Only my connections', tr: 'Yalnızca bağlantılarım' } },
  ],
  default: 'PUBLIC',
}

const capabilities: Capabilities = {
  counting: 'utf16',
  link_length: null,
  short_mentions: false,
  max_length: 3000,
  max_length_with_media: null,
  max_bytes: null,
  media: {
    kinds: {
      image: { max: 20, mimes: ['image/jpeg', 'image/png'], max_bytes: 8_000_000, max_pixels: 36_152_320 },
      gif: { max: 1, mimes: ['image/gif'], max_bytes: 8_000_000, max_pixels: 36_152_320 },
      video: { max: 1, mimes: ['video/mp4'], max_bytes: 500_000_000, min_duration_s: 3, max_duration_s: 1800 },
      document: { max: 1, mimes: ['application/pdf'], max_bytes: 100_000_000 },
    },
    max: 20,
    mixed: false,
    required: false,
    max_alt_length: 4086,
  },
  max_parts: 1,
  first_comment: false,
  link_card: false,
  edit: false,
  delete: true,
}

const shared = {
  icon,
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'feed',
    byline: 'time_below',
    is_indented: false,
    // As measured: LinkedIn documents no number (posttruncate.com/en/platform-limits).
    fold: { characters: 210, lines: 3 },
    // Names need an annotation to become mentions.
    linked: ['link', 'hashtag'],
    link_color: { light: '#0a66c2', dark: '#71b7fb' },
    files: 'collage',
    link_card: 'compact',
    actions: ['thumb', 'comment', 'repost', 'send'],
    action_labels: true,
  },
  check,
  publish,
  remove,
  takesMentionIds: true,
} satisfies Partial<Network>

/** Members and pages need different products of LinkedIn, which one app cannot have together. */
export const linkedin: Network = {
  ...shared,
  id: 'linkedin',
  name: 'LinkedIn',
  description: {
    en: 'Publishes to the profile of a person on LinkedIn.',
    tr: "LinkedIn'de bir kişinin profilinde yayımlar.",
  },
  connect: { kind: 'oauth2', provider: memberSignIn },
  options: [visibility, title, article],
  capabilities,
}

export const linkedinPage: Network = {
  ...shared,
  id: 'linkedin_page',
  name: 'LinkedIn page',
  names: { en: 'LinkedIn page', tr: 'LinkedIn sayfası' },
  description: {
    en: 'Publishes to the page of a company on LinkedIn.',
    tr: "LinkedIn'de bir şirketin sayfasında yayımlar.",
  },
  connect: { kind: 'oauth2', provider: pageSignIn },
  options: [title, article],
  capabilities: { ...capabilities, first_comment: true },
  mentions,
  metrics: pageMetrics,
}
