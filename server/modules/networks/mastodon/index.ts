import { type Network, usualPreview } from '../network.ts'
import { check, connect } from './connect.ts'
import { defaultMedia } from './instance.ts'
import { mentions } from './mentions.ts'
import { metrics } from './metrics.ts'
import { edit, publish, remove } from './publish.ts'
import { servers } from './sign-in.ts'

/** Mastodon, and the servers that speak its API: GoToSocial, Pleroma, Akkoma, Pixelfed and others. */
export const mastodon: Network = {
  id: 'mastodon',
  name: 'Mastodon',
  description: {
    en: 'Publishes to an account on any Mastodon server, or one that speaks its API, such as GoToSocial or Pixelfed.',
    tr: 'Herhangi bir Mastodon sunucusundaki ya da GoToSocial, Pixelfed gibi aynı arayüzü kullanan sunuculardaki hesaplarda yayımlar.',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M6 2h12a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4H9.500c.4 1.600 1.700 2.500 4 2.500 1.200 0 2.300-.2 3.500-.6V22c-1.300.4-2.700.6-4.100.6C6.500 22.600 2 19.500 2 13V6a4 4 0 0 1 4-4z',
        fill: '#6364ff',
      },
      {
        d: 'M6.500 13.500V7.800a2.800 2.800 0 0 1 5.500-.9 2.800 2.800 0 0 1 5.500.9v5.700h-2.200V8.100a1.050 1.050 0 0 0-2.100 0v3.200h-2.400V8.100a1.050 1.050 0 0 0-2.100 0v5.400z',
        fill: '#ffffff',
      },
    ],
  },
  connect: {
    kind: 'oauth2',
    servers,
    form: {
      fields: [
        {
          key: 'server',
          label: { en: 'Server', tr: 'Sunucu' },
          type: 'url',
          required: true,
          help: {
            en: 'The address of the server that your account is on, such as https://mastodon.social',
            tr: 'Hesabınızın bulunduğu sunucunun adresi; örneğin https://mastodon.social',
          },
        },
        {
          key: 'access_token',
          label: { en: 'Access token', tr: 'Erişim anahtarı' },
          type: 'password',
          required: true,
          help: {
            en: 'On your server, open Preferences > Development > New application. Allow read:accounts, read:statuses, read:notifications, write:statuses and write:media. Save, open the application, and copy “Your access token”.',
            tr: 'Sunucunuzda Tercihler > Geliştirme > Yeni uygulama sayfasını açın. read:accounts, read:statuses, read:notifications, write:statuses ve write:media izinlerini verin. Kaydedin, uygulamayı açın ve “Erişim belirteciniz” değerini kopyalayın.',
          },
        },
      ],
      submit: connect,
    },
  },
  options: [
    {
      key: 'visibility',
      type: 'select',
      label: { en: 'Visibility', tr: 'Görünürlük' },
      help: {
        en: 'Applies to every part of a thread and to the first comment.',
        tr: 'Dizinin bütün bölümleri ve ilk yorum için geçerlidir.',
      },
      choices: [
        { value: 'public', label: { en: 'Public', tr: 'Herkese açık' } },
        { value: 'unlisted', label: { en: 'Quiet public', tr: 'Sessizce herkese açık' } },
        { value: 'private', label: { en: 'Followers', tr: 'Takipçiler' } },
        { value: 'direct', label: { en: 'Mentioned people', tr: 'Anılan kişiler' } },
      ],
      default: 'public',
    },
    {
      key: 'spoiler_text',
      shown_as: 'content_warning',
      type: 'text',
      label: { en: 'Content warning', tr: 'İçerik uyarısı' },
      help: {
        en: 'Shown in place of the text until a reader opens it. Counts towards the length of the text.',
        tr: 'Okuyucu açana kadar metnin yerine gösterilir. Metnin uzunluğuna eklenir.',
      },
      max_length: 500,
      is_counted: true,
    },
    {
      key: 'sensitive',
      shown_as: 'media_warning',
      type: 'switch',
      label: { en: 'Hide media', tr: 'Medyayı gizle' },
      help: {
        en: 'Covers images and videos until a reader opens them.',
        tr: 'Okuyucu açana kadar görselleri ve videoları örter.',
      },
      default: false,
    },
    {
      key: 'language',
      type: 'text',
      label: { en: 'Language', tr: 'Dil' },
      help: {
        en: 'Language of the text, such as en or tr. The setting of your account by default.',
        tr: 'Metnin dili; örneğin tr ya da en. Boşsa hesabınızın ayarı geçerlidir.',
      },
      max_length: 20,
    },
  ],
  capabilities: {
    counting: 'graphemes',
    link_length: 23,
    short_mentions: true,
    max_length: 500,
    max_length_with_media: null,
    max_bytes: null,
    media: defaultMedia,
    max_parts: 25,
    first_comment: true,
    link_card: true,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '@',
    layout: 'feed',
    avatar: 'square',
    byline: 'handle_below',
    is_indented: false,
    // Its web app folds a post of more than 706 pixels: 32 lines (`status_content.jsx` in mastodon/mastodon).
    fold: { characters: 2240, lines: 32 },
    linked: ['link', 'mention', 'hashtag'],
    shortens_links: true,
    link_color: { light: '#5558e0', dark: '#9a9bff' },
    files: 'grid',
    link_card: 'large',
    actions: ['reply', 'repost', 'star', 'bookmark', 'more'],
  },
  check,
  publish,
  edit,
  remove,
  mentions,
  metrics,
}
