import type { Deps } from '../../../../lib/deps.ts'
import { codesOf } from '../../../../lib/error-code.ts'
import { ResponseTooLarge, refusedUrl, safeFetch } from '../../../../lib/outbound/safe-http.ts'
import type { fetchErrors } from '../sources.schema.ts'

const MAX_BYTES = 1_000_000
const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3

type FetchError = (typeof fetchErrors)[number]

/** A source could not be read. */
export class SourceFault extends Error {
  readonly code: FetchError
  constructor(code: FetchError, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

const accept = 'application/rss+xml, application/atom+xml, application/feed+json, text/html, text/*;q=0.9, */*;q=0.5'

function faultOf(error: unknown) {
  if (error instanceof SourceFault) return error
  const codes = codesOf(error)
  if (error instanceof ResponseTooLarge) return new SourceFault('too_large', { cause: error })
  if (codes.includes('forbidden_address')) return new SourceFault('url_not_allowed', { cause: error })
  if (codes.includes('TimeoutError')) return new SourceFault('timed_out', { cause: error })
  return new SourceFault('unreachable', { cause: error })
}

function faultOfStatus(status: number) {
  if (status === 404 || status === 410) return new SourceFault('not_found')
  return new SourceFault(status >= 400 && status < 500 ? 'refused' : 'unavailable')
}

/** The address of a redirect. Never one without encryption after one with it. */
function redirected(from: string, location: string | null, rules: Deps['urlRules']) {
  if (location === null || !URL.canParse(location, from)) throw new SourceFault('redirect_refused')
  const to = new URL(location, from)
  const isDowngrade = from.startsWith('https:') && to.protocol !== 'https:'
  if (isDowngrade) throw new SourceFault('redirect_refused')
  if (refusedUrl(to.href, rules)) throw new SourceFault('url_not_allowed')
  return to.href
}

type Known = { url: string; etag: string | null; last_modified: string | null }
/** `url`: the address of the document, to which redirects led. */
type Fetched = { url: string; body: string; etag: string | null; last_modified: string | null }

/** Gets the document of a source. undefined: it is the one that is known. Throws `SourceFault`. */
export async function fetchSource(
  { dispatcher, urlRules }: Pick<Deps, 'dispatcher' | 'urlRules'>,
  { url, etag, last_modified }: Known,
): Promise<Fetched | undefined> {
  const get = safeFetch(dispatcher, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = {
    accept,
    ...(etag && { 'if-none-match': etag }),
    ...(last_modified && { 'if-modified-since': last_modified }),
  }
  try {
    const refused = refusedUrl(url, urlRules)
    if (refused) throw new SourceFault('url_not_allowed')
    let at = url
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await get(at, { headers, signal })
      if (response.status === 304) return undefined
      if (response.status === 200) {
        const { decodeDocument } = await import('../../../../lib/outbound/decode-document.ts')
        return {
          url: at,
          body: decodeDocument(new Uint8Array(await response.arrayBuffer()), response.headers.get('content-type')),
          etag: validator(response.headers.get('etag')),
          last_modified: validator(response.headers.get('last-modified')),
        }
      }
      if (![301, 302, 303, 307, 308].includes(response.status)) throw faultOfStatus(response.status)
      at = redirected(at, response.headers.get('location'), urlRules)
    }
    throw new SourceFault('redirect_refused')
  } catch (error) {
    throw faultOf(error)
  }
}

/** A validator to send back, unless it is longer than any that servers give. */
const validator = (value: string | null) => (value !== null && value.length <= 500 ? value : null)
