import type { Deps } from '../../../lib/deps.ts'
import type { FileRules, MediaRules } from '../../media/media-rules.ts'
import { call, fieldsOf, jsonOf } from '../calls/call.ts'
import type { AccountLimits } from '../capabilities.ts'
import { NetworkFault } from '../network.ts'
import { askWith, type Credentials } from './server.ts'

const MiB = 1024 ** 2

const image = {
  max: 4,
  mimes: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif'],
  max_bytes: 16 * MiB,
  max_pixels: 33_177_600,
} satisfies FileRules

/** The files that Mastodon takes unless its server lists others (docs.joinmastodon.org, “Posting media”). */
export const defaultMedia = {
  kinds: {
    image,
    gif: { ...image, max: 1, mimes: ['image/gif'] },
    video: {
      max: 1,
      mimes: ['video/mp4', 'video/quicktime', 'video/webm'],
      max_bytes: 99 * MiB,
      max_pixels: 8_294_400,
    },
  },
  max: 4,
  mixed: false,
  required: false,
  max_alt_length: 1500,
} satisfies MediaRules

/** The name of the server's software by NodeInfo, in lower case. Empty if it gives none. */
export async function softwareOf(deps: Deps, server: string) {
  try {
    const { links } = fieldsOf(jsonOf(await call(deps, { url: `${server}/.well-known/nodeinfo` })))
    const { href } = fieldsOf(Array.isArray(links) ? links.at(-1) : undefined)
    if (typeof href !== 'string' || !URL.canParse(href)) return ''
    const { software } = fieldsOf(jsonOf(await call(deps, { url: href })))
    return String(fieldsOf(software).name ?? '').toLowerCase()
  } catch (thrown) {
    if (thrown instanceof NetworkFault) return ''
    throw thrown
  }
}

/** Reads the description of a server. Old ones know the first version of the API only. */
async function instanceOf(deps: Deps, credentials: Credentials) {
  try {
    return fieldsOf(jsonOf(await askWith(deps, credentials, '/api/v2/instance')))
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault) || thrown.failure.kind !== 'failed') throw thrown
    return fieldsOf(jsonOf(await askWith(deps, credentials, '/api/v1/instance')))
  }
}

/** A whole number from a server, which may report absurd ones. */
const within = (given: unknown, { max, or }: { max: number; or: number }) =>
  typeof given === 'number' && given >= 1 ? Math.min(Math.floor(given), max) : or

/** The limits of the account's server. Throws a `NetworkFault`. */
export async function limitsOf(deps: Deps, credentials: Credentials): Promise<AccountLimits> {
  const instance = await instanceOf(deps, credentials)
  const configuration = fieldsOf(instance.configuration)
  const statuses = fieldsOf(configuration.statuses)
  const isMastodon = credentials.software === 'mastodon'
  return {
    // Pleroma has a name of its own.
    max_length: within(statuses.max_characters ?? instance.max_toot_chars, { max: 1_000_000, or: 500 }),
    link_length: isMastodon ? within(statuses.characters_reserved_per_url, { max: 1000, or: 23 }) : null,
    // The other servers count mentions as they are written.
    short_mentions: isMastodon,
    counting: ['gotosocial', 'pixelfed'].includes(credentials.software) ? 'code_points' : 'graphemes',
    media: mediaOf(credentials, {
      ...fieldsOf(configuration.media_attachments),
      max: statuses.max_media_attachments,
      upload_limit: instance.upload_limit,
    }),
  }
}

function mediaOf({ software }: Credentials, given: Record<string, unknown>): MediaRules {
  const isMastodon = software === 'mastodon'
  const max = within(given.max, { max: 20, or: defaultMedia.max })
  const types = Array.isArray(given.supported_mime_types) ? given.supported_mime_types : undefined
  const rulesOf = (kind: keyof typeof defaultMedia.kinds): Partial<typeof defaultMedia.kinds> => {
    const rules = defaultMedia.kinds[kind]
    const mimes = rules.mimes.filter((mime) => types?.includes(mime) ?? true)
    const name = kind === 'video' ? 'video' : 'image'
    const bytes = given[`${name}_size_limit`] ?? given.upload_limit
    const limits = {
      max: isMastodon ? Math.min(kind === 'image' ? max : 1, max) : max,
      mimes,
      max_bytes: within(bytes, { max: 10_000 * MiB, or: rules.max_bytes }),
      max_pixels: within(given[`${name}_matrix_limit`], { max: 1_000_000_000, or: rules.max_pixels }),
    }
    return mimes.length > 0 ? { [kind]: limits } : {}
  }
  return {
    kinds: { ...rulesOf('image'), ...rulesOf('gif'), ...rulesOf('video') },
    max,
    mixed: !isMastodon,
    required: software === 'pixelfed',
    max_alt_length: within(given.description_limit, { max: 10_000, or: defaultMedia.max_alt_length }),
  }
}
