import { type Network, usualPreview } from '../network.ts'
import { check, connect, DEFAULT_SERVICE, renewSession } from './connect.ts'
import { mentions } from './mentions.ts'
import { metrics } from './metrics.ts'
import { intentOfKey, publish } from './publish.ts'
import { remove } from './remove.ts'
import { servers } from './sign-in/sign-in.ts'

export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  description: {
    en: 'Publishes to a Bluesky account on bsky.social or any other server.',
    tr: 'bsky.social ya da başka bir sunucudaki Bluesky hesabında yayımlar.',
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
    kind: 'oauth2',
    servers,
    form: {
      fields: [
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
      ],
      submit: connect,
    },
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
    {
      key: 'replies',
      type: 'select',
      label: { en: 'Replies', tr: 'Yanıtlar' },
      help: { en: 'Who may reply to the thread.', tr: 'Diziye kimlerin yanıt verebileceği.' },
      choices: [
        { value: 'everyone', label: { en: 'Everyone', tr: 'Herkes' } },
        { value: 'followers', label: { en: 'Your followers', tr: 'Takipçileriniz' } },
        { value: 'following', label: { en: 'People you follow', tr: 'Takip ettikleriniz' } },
        { value: 'mentioned', label: { en: 'Mentioned people', tr: 'Anılan kişiler' } },
        { value: 'nobody', label: { en: 'Nobody', tr: 'Hiç kimse' } },
      ],
      default: 'everyone',
    },
    {
      key: 'quotes',
      type: 'switch',
      label: { en: 'Allow quotes', tr: 'Alıntılamaya izin ver' },
      default: true,
    },
    {
      key: 'self_label',
      shown_as: 'media_warning',
      type: 'select',
      label: { en: 'Content warning', tr: 'İçerik uyarısı' },
      help: { en: 'Covers the files of the post.', tr: 'Gönderinin dosyalarını örter.' },
      choices: [
        { value: 'none', label: { en: 'None', tr: 'Yok' } },
        { value: 'sexual', label: { en: 'Suggestive', tr: 'Müstehcen' } },
        { value: 'nudity', label: { en: 'Nudity', tr: 'Çıplaklık' } },
        { value: 'porn', label: { en: 'Adult', tr: 'Yetişkin' } },
        { value: 'graphic-media', label: { en: 'Graphic media', tr: 'Rahatsız edici görüntüler' } },
      ],
      default: 'none',
    },
  ],
  capabilities: {
    counting: 'graphemes',
    link_length: null,
    short_mentions: false,
    max_length: 300,
    max_length_with_media: null,
    max_bytes: 3000,
    media: {
      kinds: {
        image: { max: 4, mimes: ['image/jpeg', 'image/png', 'image/webp'], max_bytes: 2_000_000 },
        video: { max: 1, mimes: ['video/mp4'], max_bytes: 300_000_000 },
      },
      max: 4,
      mixed: false,
      required: false,
      max_alt_length: 2000,
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
    byline: 'handle_beside',
    is_indented: true,
    // Its app folds a post after 25 lines (`MAX_POST_LINES` in bluesky-social/social-app).
    fold: { characters: 3000, lines: 25 },
    linked: ['link', 'mention', 'hashtag'],
    shortens_links: true,
    link_color: { light: '#0066e0', dark: '#4ca2ff' },
    files: 'grid',
    link_card: 'large',
    actions: ['reply', 'repost', 'like', 'bookmark', 'share', 'more'],
  },
  check,
  renewSession,
  intentOfKey,
  publish,
  remove,
  mentions,
  metrics,
}
