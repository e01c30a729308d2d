import type { FileRules } from '../../media/media-rules.ts'
import { type Network, usualPreview } from '../network.ts'
import { titleOption } from '../text/article-html.ts'
import { connect } from './connect.ts'
import { edit, publish, remove } from './items.ts'

const MAX_FILES = 20
/** Types that browsers show, up to what Meydan keeps. */
const files = (...mimes: string[]): FileRules => ({ max: MAX_FILES, mimes, max_bytes: 1_000_000_000 })

/** A feed of one's own, which Meydan serves. */
export const rss: Network = {
  id: 'rss',
  name: 'RSS',
  description: {
    en: 'A feed that Meydan serves. Feed readers, newsletters and other services subscribe to its address.',
    tr: "Meydan'ın sunduğu bir besleme. Besleme okuyucular, bültenler ve başka hizmetler adresine abone olur.",
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      { d: 'M5.500 16.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z', fill: '#ee802f' },
      { d: 'M3 9.500a12 12 0 0 1 12 12h-3.200A8.800 8.800 0 0 0 3 12.700z', fill: '#ee802f' },
      { d: 'M3 3a18.500 18.500 0 0 1 18.500 18.500h-3.300A15.200 15.200 0 0 0 3 6.300z', fill: '#ee802f' },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'title',
        label: { en: 'Name of the feed', tr: 'Beslemenin adı' },
        type: 'text',
        required: true,
        help: { en: 'Readers see it, such as the name of your site', tr: 'Okurlar görür; örneğin sitenizin adı' },
      },
      { key: 'description', label: { en: 'Description', tr: 'Açıklama' }, type: 'text', required: false },
      {
        key: 'language',
        label: { en: 'Language', tr: 'Dil' },
        type: 'text',
        required: false,
        help: {
          en: 'Such as en or tr. If it is empty, that of the workspace.',
          tr: 'Örneğin tr ya da en. Boşsa çalışma alanının dili.',
        },
      },
      {
        key: 'link',
        label: { en: 'Address of the site', tr: 'Sitenin adresi' },
        type: 'url',
        required: false,
        help: { en: 'The page that the feed belongs to', tr: 'Beslemenin ait olduğu sayfa' },
      },
    ],
    submit: connect,
  },
  options: [
    titleOption,
    {
      key: 'link',
      type: 'text',
      label: { en: 'Link', tr: 'Bağlantı' },
      help: {
        en: 'Address that the title leads to. If it is empty, it leads to the first link of the text.',
        tr: 'Başlığın götürdüğü adres. Boşsa metindeki ilk bağlantıya götürür.',
      },
      max_length: 1000,
      pattern: '^(https?://[^\\s/?#@\\[\\]]+([/?#]\\S*)?)?$',
    },
  ],
  capabilities: {
    counting: 'code_points',
    link_length: null,
    short_mentions: false,
    max_length: 65_536,
    max_length_with_media: null,
    max_bytes: null,
    media: {
      kinds: {
        image: files('image/jpeg', 'image/png', 'image/webp'),
        gif: files('image/gif', 'image/webp'),
        video: files('video/mp4', 'video/quicktime', 'video/webm'),
        document: files('application/pdf'),
      },
      max: MAX_FILES,
      mixed: true,
      required: false,
      max_alt_length: 2000,
    },
    max_parts: 1,
    first_comment: false,
    link_card: false,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'article',
    avatar: 'none',
    byline: 'time_below',
    is_indented: false,
    linked: ['link'],
    link_color: { light: '#a8500f', dark: '#f0a060' },
    files: 'mosaic',
  },
  check: async () => ({ kind: 'ok' }),
  publish,
  edit,
  remove,
}
