import { allLinksIn } from '../../../../shared/text/links.ts'
import type { Publication } from '../network.ts'
import { toFault } from './errors.ts'
import { loadLibrary, type Methods } from './library.ts'

export const POST = 'app.bsky.feed.post'
export const THREADGATE = 'app.bsky.feed.threadgate'
export const POSTGATE = 'app.bsky.feed.postgate'

/** A reference to a record, as replies name their parent. */
export type Ref = { uri: string; cid: string }
type Reply = { root: Ref; parent: Ref }
/** Files or a card, which a post shows below its text. */
export type Embed = { $type: string; [field: string]: unknown }

/** Makes the record of a post. Resolving its mentions takes calls. */
export async function postRecord(
  methods: Methods,
  { options, now }: Publication,
  { text: content, reply, embed }: { text: string; reply: Reply | undefined; embed: Embed | null },
) {
  const { text, facets } = await richText(methods, content)
  const { langs, self_label } = options
  return {
    $type: POST,
    text,
    ...(facets.length > 0 && { facets }),
    ...(reply && { reply }),
    ...(embed && { embed }),
    ...(langs !== undefined && { langs }),
    ...(self_label !== undefined &&
      self_label !== 'none' && {
        labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: self_label }] },
      }),
    createdAt: now.toISOString(),
  }
}

/** The text with its links, mentions and tags. */
async function richText(methods: Methods, content: string) {
  const { RichText, AppBskyRichtextFacet } = await loadLibrary()
  const text = new RichText({ text: content })
  // The library's own resolution puts an empty DID in place of a handle that it could not look up, for any reason.
  text.detectFacetsWithoutResolution()
  const bytes = Buffer.byteLength(text.text)
  // The server accepts what lies beyond the text, and apps then show nothing.
  const inside = (text.facets ?? []).filter(
    ({ index: { byteStart, byteEnd }, features }) =>
      byteStart >= 0 &&
      byteStart < byteEnd &&
      byteEnd <= bytes &&
      // The library takes marks behind a link, such as ’, for a part of its host, and the keycap of `#⃣` for a tag.
      !features.some(
        (feature) =>
          AppBskyRichtextFacet.isLink(feature) || (AppBskyRichtextFacet.isTag(feature) && /^\p{M}/u.test(feature.tag)),
      ),
  )
  const resolved = await Promise.all(
    inside.map(async (facet) => {
      const mention = facet.features.find((feature) => AppBskyRichtextFacet.isMention(feature))
      if (!mention) return facet
      const did = await resolveHandle(methods, mention.did)
      return did === undefined ? [] : { ...facet, features: [{ ...mention, did }] }
    }),
  )
  return { text: text.text, facets: [...resolved.flat(), ...linkFacets(text.text)] }
}

/** Bluesky shows links without `https://` too. */
const linkFacets = (text: string) =>
  allLinksIn(text).map(({ url, index }) => {
    const byteStart = Buffer.byteLength(text.slice(0, index))
    return {
      index: { byteStart, byteEnd: byteStart + Buffer.byteLength(url) },
      features: [{ $type: 'app.bsky.richtext.facet#link' as const, uri: withScheme(url) }],
    }
  })

const withScheme = (url: string) => (/^https?:/i.test(url) ? url : `https://${url}`)

/** The address of the first link of a text, which has a card. */
export function firstLink(text: string) {
  const [link] = allLinksIn(text)
  return link && withScheme(link.url)
}

/** The DID of a mentioned handle; undefined when nobody has it. Throws when the server gives no clear response. */
async function resolveHandle(methods: Methods, handle: string) {
  try {
    return (await methods.com.atproto.identity.resolveHandle({ handle })).data.did
  } catch (thrown) {
    const { status, error } = toFault(thrown)
    if (status === 400 && ['InvalidRequest', 'HandleNotFound', 'InvalidHandle'].includes(error)) return undefined
    throw thrown
  }
}

const replyRules: Record<string, string[]> = {
  mentioned: ['mentionRule'],
  followers: ['followerRule'],
  following: ['followingRule'],
  nobody: [],
}

/** Makes the record that limits who may reply to the thread. Null if everyone may. */
export function threadgateRecord({ options, now }: Publication, { uri: post }: Ref) {
  const rules = replyRules[String(options.replies)]
  if (!rules) return null
  const allow = rules.map((rule) => ({ $type: `${THREADGATE}#${rule}` }))
  return { $type: THREADGATE, post, allow, createdAt: now.toISOString() }
}

/** Makes the record that forbids quotes of a part. Null if everyone may quote it. */
export function postgateRecord({ options, now }: Publication, { uri: post }: Ref) {
  if (options.quotes !== false) return null
  return {
    $type: POSTGATE,
    post,
    embeddingRules: [{ $type: `${POSTGATE}#disableRule` }],
    createdAt: now.toISOString(),
  }
}
