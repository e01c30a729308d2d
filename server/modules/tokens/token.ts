import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../lib/crypto/crypto.ts'

/**
 * `meydan_pat_<id 12>_<secret 30><checksum 6>` in base62. With the checksum (CRC-32 of all before it), scanners and
 * Meydan recognize a token without a database query.
 */
const form = /^(meydan_pat_[0-9A-Za-z]{12})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

const checksum = (text: string) => toBase62(crc32(text), 6)

/** Makes a token with a new prefix, or a new secret for `prefix`. */
export function newToken(prefix = `meydan_pat_${randomBase62(12)}`) {
  const secret = randomBase62(30)
  const body = `${prefix}_${secret}`
  return { prefix, secret, token: body + checksum(body) }
}

/** Returns the parts of a token, or undefined if it is malformed. */
export function parseToken(token: string) {
  const [, prefix, secret, sum] = form.exec(token) ?? []
  if (!prefix || !secret || checksum(`${prefix}_${secret}`) !== sum) return
  return { prefix, secret }
}
