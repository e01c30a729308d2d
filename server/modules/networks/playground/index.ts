import { randomUUID } from 'node:crypto'
import { anyFile } from '../../media/media-rules.ts'
import { type Network, usualPreview } from '../network.ts'
import { mentions } from './mentions.ts'
import { edit, publish, remove } from './publish.ts'

/** Timeline inside Meydan, so that the first post needs no external account. */
export const playground: Network = {
  id: 'playground',
  name: 'Playground',
  description: {
    en: 'A timeline inside Meydan for trying things out. Only members of this workspace see it.',
    tr: 'Meydan içinde, deneme yapabileceğiniz bir akış. Yalnızca bu çalışma alanının üyeleri görür.',
  },
  // The logo of Meydan.
  icon: {
    view_box: '0 0 32 32',
    paths: [
      { d: 'M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z', fill: '#067d87' },
      { d: 'M6.5 26V16a4.25 4.25 0 0 1 8.5 0v10zM17 26V16a4.25 4.25 0 0 1 8.5 0v10z', fill: '#ffffff' },
      { d: 'M16 5.5a2.1 2.1 0 0 1 0 4.2a2.1 2.1 0 0 1 0-4.2z', fill: '#ffb454' },
    ],
  },
  connect: {
    kind: 'form',
    fields: [],
    submit: async () => ({
      external_id: randomUUID(),
      name: 'Playground',
      handle: 'playground',
      url: null,
      credentials: null,
    }),
  },
  options: [],
  capabilities: {
    counting: 'graphemes',
    link_length: null,
    short_mentions: false,
    max_length: 5000,
    max_length_with_media: null,
    max_bytes: null,
    media: anyFile({ max: 10, max_bytes: 2_000_000_000 }),
    max_parts: 25,
    first_comment: true,
    link_card: false,
    edit: true,
    delete: true,
  },
  preview: {
    ...usualPreview,
    handle_prefix: '@',
    layout: 'feed',
    byline: 'handle_beside',
    is_indented: true,
    linked: ['link', 'mention', 'hashtag'],
    link_color: { light: '#067d87', dark: '#3fc1cb' },
    files: 'grid',
  },
  check: async () => ({ kind: 'ok' }),
  publish,
  edit,
  remove,
  mentions,
}
