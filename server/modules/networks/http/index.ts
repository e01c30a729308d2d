import { anyFile } from '../../media/media-rules.ts'
import { type Network, usualPreview } from '../network.ts'
import { check, connect, edit, publish, remove } from './publish.ts'

/** A receiver of one's own: posts are sent to it as signed messages. */
export const http: Network = {
  id: 'http',
  name: 'HTTP',
  description: {
    en: 'Sends posts to your own address as signed messages (Standard Webhooks).',
    tr: 'Gönderileri imzalı iletiler olarak kendi adresinize gönderir (Standard Webhooks).',
  },
  icon: {
    view_box: '0 0 24 24',
    paths: [
      {
        d: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2c1.2 0 2.8 2.6 3.3 7H8.7C9.2 6.6 10.8 4 12 4zM4.3 13h2.4c.1 2 .5 3.800 1.100 5.200A8 8 0 0 1 4.300 13zm4.400 0h6.600c-.5 4.400-2.100 7-3.300 7s-2.800-2.600-3.300-7zm8.600 0h2.400a8 8 0 0 1-3.500 5.200c.6-1.400 1-3.200 1.100-5.200zM4.300 11a8 8 0 0 1 3.500-5.200C7.200 7.200 6.800 9 6.700 11zm13 0c-.1-2-.5-3.800-1.100-5.200a8 8 0 0 1 3.500 5.200z',
        fill: null,
      },
    ],
  },
  connect: {
    kind: 'form',
    fields: [
      {
        key: 'url',
        label: { en: 'Address', tr: 'Adres' },
        type: 'url',
        required: true,
        help: {
          en: 'Of your own server, such as https://example.org/posts. It receives every post, and must already respond with 2xx when you connect.',
          tr: 'Kendi sunucunuzun adresi; örneğin https://ornek.org/gonderiler. Her gönderiyi alır ve bağlarken 2xx ile yanıt vermelidir.',
        },
      },
      {
        key: 'secret',
        label: { en: 'Signing secret', tr: 'İmza anahtarı' },
        type: 'password',
        required: true,
        help: {
          en: 'whsec_ and at least 24 random bytes in base64. This command makes one: echo whsec_$(openssl rand -base64 32). Your server verifies messages with it.',
          tr: 'whsec_ ve base64 ile en az 24 rastgele bayt. Bu komut bir tane üretir: echo whsec_$(openssl rand -base64 32). Sunucunuz iletileri bununla doğrular.',
        },
      },
    ],
    submit: connect,
  },
  options: [],
  capabilities: {
    counting: 'code_points',
    link_length: null,
    short_mentions: false,
    max_length: 65_536,
    max_length_with_media: null,
    max_bytes: null,
    media: anyFile({ max: 20, max_bytes: 1_000_000_000 }),
    max_parts: 25,
    first_comment: true,
    link_card: false,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '',
    layout: 'feed',
    byline: 'handle_beside',
    is_indented: true,
    linked: ['link'],
    link_color: { light: '#1a5fb4', dark: '#78aeed' },
    files: 'mosaic',
  },
  check,
  publish,
  edit,
  remove,
}
