import type { FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'

/** Throws 412 when the call expects another version of the record. */
export type IfMatch = (version: number) => void

/** The ETag of a record with a version (RFC 9110, section 8.8.3); undefined for a response without a version. */
export const etagOf = (record: unknown) =>
  typeof record === 'object' && record !== null && 'version' in record && typeof record.version === 'number'
    ? `"${record.version}"`
    : undefined

/** Checks If-Match (RFC 9110, section 13.1.1) with a strong comparison, so a tag with W/ never matches. */
export const ifMatch = ({ headers }: Pick<FastifyRequest, 'headers'>): IfMatch => {
  const wanted = headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return () => undefined
  const tags = wanted.split(',').map((tag) => tag.trim())
  return (version) => {
    if (!tags.includes(`"${version}"`))
      throw problem('version_conflict', {
        detail: 'Read the record again and apply your change to the current version.',
      })
  }
}

/** Whether the client already has this version (RFC 9110, section 13.1.2): a weak comparison, which ignores W/. */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, etag: string) => {
  const known = headers['if-none-match']
  if (known === undefined) return false
  if (known === etag || known.trim() === '*') return true
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
