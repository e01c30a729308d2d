/** Sign-in at a server, as far as it differs between them. */
export type SignInRules = {
  /** Whether `/.well-known/oauth-authorization-server` exists. */
  metadata: boolean
  /** Whether the metadata announces that the issuer is named in the redirect, and whether it is (RFC 9207). */
  announcesIssuer: boolean
  namesIssuer: boolean
  /** Whether a code challenge is kept and verified. */
  pkce: boolean
  /** Whether an app can be registered with a list of redirect addresses. */
  lists: boolean
  /** Known scopes; null: any. */
  scopes: string[] | null
  /** The step that refuses unknown scopes: the registration of an app, or the sign-in, as it redirects to the app. */
  unknownScopes: 'registration' | 'redirect'
  /** Seconds for which a token counts, which comes with a refresh token that counts once; null: without an end. */
  access_s: number | null
  /** Whether a token comes with its scopes. */
  namesScopes: boolean
  /** Whether `/oauth/revoke` exists. */
  revokes: boolean
  /** Refusal of an unknown client. `plain`: 400 and a sentence. */
  unknownClient: 'invalid_client' | 'plain'
  /** Whether an app is the address of one sign-in. */
  ofOneSignIn: boolean
}

/** A server with Mastodon's API, as far as sign-in and posting differ between them. */
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
  signIn: SignInRules
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

/** The scopes in docs.joinmastodon.org, “OAuth scopes”. */
const scopes = ['profile', 'read', 'write', 'follow', 'push', 'write:media', 'write:statuses', 'write:accounts'].concat(
  ['accounts', 'blocks', 'bookmarks', 'favourites', 'filters', 'follows', 'lists', 'mutes', 'notifications'].map(
    (name) => `read:${name}`,
  ),
  ['read:search', 'read:statuses'],
)

const signIn: SignInRules = {
  metadata: true,
  announcesIssuer: false,
  namesIssuer: false,
  pkce: true,
  lists: true,
  scopes,
  unknownScopes: 'registration',
  access_s: null,
  namesScopes: true,
  revokes: true,
  unknownClient: 'invalid_client',
  ofOneSignIn: false,
}

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
  signIn,
}

export const softwares = {
  mastodon,
  /** Before code challenges, metadata and lists of redirect addresses. */
  mastodon42: {
    ...mastodon,
    version: '4.2.20',
    signIn: { ...signIn, metadata: false, pkce: false, lists: false },
  },
  pleroma: {
    ...mastodon,
    name: 'pleroma',
    signIn: {
      ...signIn,
      ...{
        metadata: false,
        pkce: false,
        lists: false,
        scopes: null,
        access_s: 86_400,
        unknownClient: 'plain' as const,
      },
    },
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
    signIn: { ...signIn, metadata: false, pkce: false },
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
    signIn: {
      ...signIn,
      ...{
        metadata: false,
        lists: false,
        scopes: ['read', 'write', 'follow', 'push'],
        unknownScopes: 'redirect' as const,
      },
      ...{ access_s: 356 * 86_400, namesScopes: false, revokes: false },
    },
  },
  /** Related to Misskey. */
  sharkey: {
    ...mastodon,
    name: 'sharkey',
    version: '2025.4.3',
    signIn: {
      ...signIn,
      ...{ metadata: false, pkce: false, lists: false, scopes: null, revokes: false, ofOneSignIn: true },
    },
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
