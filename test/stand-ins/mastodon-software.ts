/** A server with Mastodon's API, as far as posting differs between them. */
export type Software = {
  name: string
  version: string
  maxCharacters: number
  maxMedia: number
  imageBytes: number
  videoBytes: number
  /** The length as this software counts it. The warning and the text share the limit. */
  count: (warning: string, text: string) => number
  /** The status of a refused post. */
  invalid: 400 | 422
  visibilities: string[]
  mediaRequired: boolean
  /**
   * Handling of a repeated `Idempotency-Key`. `post`: returns the post, failures are forgotten. `response`: repeats the
   * response, errors too. `ignored`: posts again. `refused`: 400, even after a failure.
   */
  idempotency: 'post' | 'response' | 'ignored' | 'refused'
  /** Whether `/api/v2/instance` exists. */
  hasInstanceV2: boolean
}

const graphemes = new Intl.Segmenter()
const MiB = 1024 ** 2

const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'»”’]/g

const countGraphemes = (text: string) => [...graphemes.segment(text)].length
const countCodePoints = (warning: string, text: string) => [...(warning + text)].length

/** Counts graphemes; in the text a link as 23, and a remote mention without its server. */
const countWeighted = (warning: string, text: string) =>
  countGraphemes(
    warning + text.replace(LINK, 'x'.repeat(23)).replace(/(?<![\w/=])@(\w[\w.-]*)@[\w-]+(\.[\w-]+)+/g, '@$1'),
  )

const mastodon: Software = {
  name: 'mastodon',
  version: '4.5.2',
  maxCharacters: 500,
  maxMedia: 4,
  imageBytes: 16 * MiB,
  videoBytes: 99 * MiB,
  count: countWeighted,
  invalid: 422,
  visibilities: ['public', 'unlisted', 'private', 'direct'],
  mediaRequired: false,
  idempotency: 'post',
  hasInstanceV2: true,
}

export const softwares = {
  mastodon,
  pleroma: {
    ...mastodon,
    name: 'pleroma',
    version: '2.7.0',
    maxCharacters: 5000,
    maxMedia: 1000,
    imageBytes: 16_000_000,
    videoBytes: 16_000_000,
    count: (warning: string, text: string) => countGraphemes(warning + text),
    idempotency: 'response',
    hasInstanceV2: false,
  },
  gotosocial: {
    ...mastodon,
    name: 'gotosocial',
    version: '0.20.0',
    maxCharacters: 5000,
    maxMedia: 6,
    imageBytes: 40 * MiB,
    videoBytes: 40 * MiB,
    count: countCodePoints,
    invalid: 400,
    visibilities: [...mastodon.visibilities, 'mutuals_only'],
    idempotency: 'ignored',
  },
  pixelfed: {
    ...mastodon,
    name: 'pixelfed',
    version: '0.12.5',
    imageBytes: 15_000_000,
    videoBytes: 15_000_000,
    count: countCodePoints,
    visibilities: ['public', 'unlisted', 'private'],
    mediaRequired: true,
    idempotency: 'refused',
  },
} satisfies Record<string, Software>

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? '&#39;')

/** A link as Mastodon writes it: the scheme hidden, the end cut for the eye. */
function anchor(link: string) {
  const shown = link.replace(/^https?:\/\/(www\.)?/, '')
  const scheme = link.slice(0, link.length - shown.length)
  const [head, tail] = [shown.slice(0, 30), shown.slice(30)]
  return `<a href="${escapeHtml(link)}" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">${scheme}</span><span class="${tail ? 'ellipsis' : ''}">${escapeHtml(head)}</span><span class="invisible">${escapeHtml(tail)}</span></a>`
}

/** The HTML that Mastodon makes of a plain text. */
export function htmlOf(text: string, origin: string) {
  const parts = text.split(new RegExp(`(${LINK.source})`, 'g'))
  const linked = parts.map((part) =>
    /^https?:\/\//.test(part)
      ? anchor(part)
      : escapeHtml(part).replace(
          /(?<![\w&/])#(\w+)/gu,
          (_, tag: string) =>
            `<a href="${origin}/tags/${tag}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`,
        ),
  )
  return `<p>${linked
    .join('')
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll('\n', '<br />'))
    .join('</p><p>')}</p>`
}
