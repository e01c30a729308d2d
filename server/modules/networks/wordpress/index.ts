import type { FileRules } from '../../media/media-rules.ts'
import { type Network, usualPreview } from '../network.ts'
import { titleOption } from '../text/article-html.ts'
import { check, connect } from './connect.ts'
import { edit, publish, remove } from './publish.ts'

const MAX_FILES = 20
/** Bounds of Meydan: each site has its own limit, and its API does not name it. */
const files = (max_bytes: number, ...mimes: string[]): FileRules => ({ max: MAX_FILES, mimes, max_bytes })
const MEGABYTE = 1_000_000

/** A site of WordPress 5.6 or later, by its REST API and an application password. */
export const wordpress: Network = {
  id: 'wordpress',
  name: 'WordPress',
  description: {
    en: 'Publishes posts with a title and a featured image on your own WordPress site.',
    tr: 'Kendi WordPress sitenizde başlıklı ve öne çıkan görselli yazılar yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm0 1.700a9.300 9.300 0 1 1 0 18.600 9.300 9.300 0 0 1 0-18.600z',
        fill: '#21759b',
      },
      {
        d: 'M4.700 7.500h4.100v1.200h-.9l2.400 6.800 1.300-3.800-1-3h-.8V7.500h4.200v1.200h-.9l2.300 6.800 1.500-4.800c.4-1.400-.2-2.600-1-3.200h3.200c.4 1.300.2 2.400-.2 3.700L15.700 18h-1.300L12 11.700 9.600 18H8.300L5.600 8.700h-.9z',
        fill: '#21759b',
      },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'site',
        label: { en: 'Address of the site', tr: 'Sitenin adresi' },
        type: 'url',
        required: true,
        help: { en: 'For example https://example.org/blog', tr: 'Örneğin https://ornek.org/blog' },
      },
      {
        key: 'user',
        label: { en: 'User name or email', tr: 'Kullanıcı adı ya da e-posta' },
        type: 'text',
        required: true,
        help: { en: 'Of a user with the role Author or higher', tr: 'Rolü yazar ya da üstü olan bir kullanıcının' },
      },
      {
        key: 'app_password',
        label: { en: 'Application password', tr: 'Uygulama parolası' },
        type: 'password',
        required: true,
        help: {
          en: 'Create one in WordPress under Users > Profile > Application Passwords. Do not enter your account password.',
          tr: "WordPress'te Kullanıcılar > Profil > Uygulama parolaları altında oluşturun. Hesap parolanızı girmeyin.",
        },
      },
    ],
    submit: connect,
  },
  options: [
    titleOption,
    { key: 'excerpt', type: 'text', label: { en: 'Excerpt', tr: 'Özet' }, max_length: 1000 },
    {
      key: 'categories',
      shown_as: 'tags',
      type: 'list',
      label: { en: 'Categories', tr: 'Kategoriler' },
      help: { en: 'By name. Those that do not exist are created.', tr: 'Adlarıyla. Olmayanlar oluşturulur.' },
      max_items: 20,
      max_length: 200,
      pattern: '\\S',
    },
    {
      key: 'tags',
      shown_as: 'tags',
      type: 'list',
      label: { en: 'Tags of the article', tr: 'Yazı etiketleri' },
      help: { en: 'By name. Those that do not exist are created.', tr: 'Adlarıyla. Olmayanlar oluşturulur.' },
      max_items: 50,
      max_length: 200,
      pattern: '\\S',
    },
    {
      key: 'status',
      type: 'select',
      label: { en: 'Status', tr: 'Durum' },
      choices: [
        { value: 'publish', label: { en: 'Published', tr: 'Yayında' } },
        { value: 'draft', label: { en: 'Draft, for the editors of the site', tr: 'Taslak; sitenin editörleri için' } },
      ],
      default: 'publish',
    },
    {
      key: 'comments',
      type: 'select',
      label: { en: 'Comments', tr: 'Yorumlar' },
      choices: [
        { value: 'default', label: { en: 'As the site is set', tr: 'Sitenin ayarı gibi' } },
        { value: 'open', label: { en: 'Open', tr: 'Açık' } },
        { value: 'closed', label: { en: 'Closed', tr: 'Kapalı' } },
      ],
      default: 'default',
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
        image: files(20 * MEGABYTE, 'image/jpeg', 'image/png', 'image/webp'),
        gif: files(20 * MEGABYTE, 'image/gif'),
        video: files(500 * MEGABYTE, 'video/mp4', 'video/quicktime', 'video/webm'),
        document: files(100 * MEGABYTE, 'application/pdf'),
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
    link_color: { light: '#1f6f94', dark: '#72aee6' },
    files: 'featured',
  },
  check,
  publish,
  edit,
  remove,
}
