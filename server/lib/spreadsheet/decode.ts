import { isUtf8 } from 'node:buffer'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1254', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** Bytes that show whether a file without a byte order mark is UTF-16. */
const SAMPLE = 4096
const CHUNK = 1024 * 1024

/** UTF-16 has a zero in every other byte of Latin text. */
function utf16Of(bytes: Buffer): Encoding | undefined {
  const sample = bytes.subarray(0, SAMPLE)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const isMost = (count: number) => count > 0.3 * (sample.length / 2)
  if (isMost(odd) && even < odd / 4) return 'utf-16le'
  if (isMost(even) && odd < even / 4) return 'utf-16be'
}

/**
 * The encoding of a text, and the length of its byte order mark. `fallback`: the encoding of a text that is not
 * Unicode.
 */
export function detectEncoding(bytes: Buffer, fallback: Encoding): { encoding: Encoding; mark: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', mark: 3 }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', mark: 2 }
  const utf16 = utf16Of(bytes)
  if (utf16) return { encoding: utf16, mark: 0 }
  return { encoding: isUtf8(bytes) ? 'utf-8' : fallback, mark: 0 }
}

/** The same text in UTF-8. Valid UTF-8 is not copied. */
export function toUtf8(bytes: Buffer, encoding: Encoding) {
  if (encoding === 'utf-8' && isUtf8(bytes)) return bytes
  const decoder = new TextDecoder(encoding)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(Buffer.from(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true })))
  parts.push(Buffer.from(decoder.decode()))
  return Buffer.concat(parts)
}
