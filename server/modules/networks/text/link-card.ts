import type { Deps } from '../../../lib/deps.ts'
import { boundedFetch } from '../../../lib/outbound/safe-http.ts'

type LinkCard<CardImage> = {
  title: string
  /** Empty if the page has none. */
  description: string
  /** Null if the page has none, or one that cannot be read. */
  image: CardImage | null
}

const MAX_REDIRECTS = 3
/** Bytes of a page that are read: its head comes first. */
const MAX_PAGE = 1_000_000
const MAX_IMAGE = 10_000_000
/** Time for a page with its image. A post waits for it. */
const TIMEOUT_MS = 8000
const MAX_TITLE = 300
const MAX_DESCRIPTION = 1000

/**
 * Reads how a page describes itself: OpenGraph, or its title. Null if it cannot be read: the post is then published
 * without a card. Addresses that are not allowed are not called. `toCardImage`: makes the image of the card from the
 * bytes of a stranger.
 */
export async function readLinkCard<CardImage>(
  deps: Deps,
  url: string,
  toCardImage: (bytes: Buffer) => Promise<CardImage | null>,
): Promise<LinkCard<CardImage> | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { response, address } = await follow(deps, url, signal)
    const contentType = response.headers.get('content-type')
    if (!/^(text\/html|application\/xhtml)/i.test(contentType ?? '')) {
      await response.body?.cancel()
      return null
    }
    const { decodeDocument } = await import('../../../lib/outbound/decode-document.ts')
    const html = decodeDocument(await readStart(response, MAX_PAGE), contentType)
    const { title, description, image } = await pageOf(html)
    if (!title) return null
    const cardImage = image === '' ? null : await readImage(deps, { image, address }, { signal, toCardImage })
    return { title: cut(title, MAX_TITLE), description: cut(description, MAX_DESCRIPTION), image: cardImage }
  } catch (err) {
    deps.log.debug({ err }, 'a page has no card')
    return null
  }
}

/** The first characters of a text, on one line and without control characters. */
const cut = (text: string, max: number) =>
  Array.from(
    text
      .slice(0, 4 * max)
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .replace(/\p{Cc}+/gu, '')
      .trim(),
  )
    .slice(0, max)
    .join('')

/** Reads a body up to `max` bytes. The rest is not received. */
async function readStart({ body }: Response, max: number) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= max) break
  }
  return Buffer.concat(chunks)
}

/** Follows redirects, and checks each address. Throws unless the last response is a success. */
async function follow({ dispatcher }: Deps, url: string, signal: AbortSignal) {
  const get = boundedFetch(dispatcher, { timeoutMs: TIMEOUT_MS, maxBytes: () => MAX_IMAGE })
  let address = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await get(address, { signal, headers: { accept: 'text/html, image/*', 'user-agent': 'Meydan' } })
    const location = response.headers.get('location')
    if (response.ok) return { response, address }
    await response.body?.cancel()
    if (response.status < 300 || response.status >= 400 || location === null)
      throw new Error(`The page responded with status ${response.status}.`)
    address = new URL(location, address).href
  }
  throw new Error('The page redirects too often.')
}

/** The texts and the image in the head of a page. */
async function pageOf(html: string) {
  const { Parser } = await import('htmlparser2')
  const meta = new Map<string, string>()
  let title = ''
  let isInTitle = false
  const parser = new Parser({
    onopentag: (name, { property, name: named, content }) => {
      const key = (property ?? named)?.toLowerCase()
      if (name === 'meta' && key && content && !meta.has(key)) meta.set(key, content.trim())
      // Images may have titles of their own.
      isInTitle = name === 'title' && title === ''
    },
    ontext: (text) => {
      if (isInTitle) title += text
    },
    onclosetag: () => {
      isInTitle = false
    },
  })
  parser.end(html)
  const first = (...keys: string[]) => keys.map((key) => meta.get(key)).find((value) => value) ?? ''
  return {
    title: first('og:title', 'twitter:title') || title.trim(),
    description: first('og:description', 'twitter:description', 'description'),
    image: first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'),
  }
}

async function readImage<CardImage>(
  deps: Deps,
  { image, address }: { image: string; address: string },
  { signal, toCardImage }: { signal: AbortSignal; toCardImage: (bytes: Buffer) => Promise<CardImage | null> },
) {
  try {
    const { response } = await follow(deps, new URL(image, address).href, signal)
    return await toCardImage(Buffer.from(await response.arrayBuffer()))
  } catch (err) {
    deps.log.debug({ err }, 'a page has no image')
    return null
  }
}
