import { getEncoding } from 'encoding-sniffer'

/** Bytes at the beginning of a document in which its declaration is looked for. */
const SNIFFED_BYTES = 4096
/** For documents that declare nothing, or wrongly: the superset of Latin letters that has the Turkish ones. */
const DEFAULT = 'windows-1254'

/**
 * Decodes a page or a feed: by its byte order mark; as UTF-8 if it is valid UTF-8, whatever it declares; by the header
 * `content-type`; or by its own declaration in `<meta>` or `<?xml ?>`.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | null): string {
  const [, header] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '') ?? []
  const hasMark = /^(efbbbf|fffe|feff)/.test(Buffer.from(bytes.subarray(0, 3)).toString('hex'))
  if (!hasMark && isUtf8(bytes)) return new TextDecoder().decode(bytes)
  const encoding = getEncoding(bytes, {
    maxBytes: SNIFFED_BYTES,
    defaultEncoding: DEFAULT,
    ...(header !== undefined && !isUtf8Label(header) && { transportLayerEncodingLabel: header }),
  })
  return decoderOf(!hasMark && isUtf8Label(encoding) ? DEFAULT : encoding).decode(bytes)
}

function isUtf8(bytes: Uint8Array) {
  const start = bytes.subarray(0, SNIFFED_BYTES)
  // Every second byte of Latin letters in UTF-16, which are valid UTF-8.
  if (start.filter((byte) => byte === 0).length * 4 > start.length) return false
  try {
    // The end may be cut within a letter.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const isUtf8Label = (label: string) => /^(unicode-1-1-)?utf-?8$/i.test(label)

function decoderOf(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder(DEFAULT)
  }
}
