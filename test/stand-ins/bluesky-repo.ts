import { createHash } from 'node:crypto'
import { jsonToLex, lexicons } from '@atproto/api'
import { unlistedField } from './bluesky-requests.ts'
import type { StoredPost } from './faults.ts'
import type { Reply } from './server.ts'

type Value = Record<string, unknown>
type Stored = { uri: string; cid: string; value: Value }
export type Repo = {
  records: Map<string, Stored>
  removed: Stored[]
  /** Keys are the account and the content id. */
  blobs: Map<string, { mimeType: string; size: number }>
  blobLimit: number
}

export const POST = 'app.bsky.feed.post'
const GATES = ['app.bsky.feed.threadgate', 'app.bsky.feed.postgate']
const TID = /^[2-7a-j][2-7a-z]{12}$/

/** A valid key of a record, from a number below 676. */
export const recordKey = (number: number) =>
  `3kabcdefghi${[Math.floor(number / 26), number % 26].map((each) => String.fromCharCode(97 + each)).join('')}`

export const refuse = (status: number, error: string, message: string = error): Reply => ({
  status,
  body: { error, message },
})
const invalid = (message: string) => refuse(400, 'InvalidRequest', message)
const ok = (body: unknown): Reply => ({ status: 200, body })
const broken = refuse(500, 'InternalServerError', 'Internal Server Error')

/** A content id of version 1, with SHA-256. `codec`: 0x55 for bytes, 0x71 for records. */
function cidOf(bytes: Uint8Array | string, codec: number) {
  const digest = [0x01, codec, 0x12, 0x20, ...createHash('sha256').update(bytes).digest()]
  const bits = digest.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{1,5}/g) ?? []
  return `b${letters.map((each) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(each.padEnd(5, '0'), 2)]).join('')}`
}

/** JSON in which the order of names does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const isObject = (value: unknown): value is Value => typeof value === 'object' && value !== null

/** Every blob within a value. `name`: the field that holds the blob. */
function blobsOf(value: unknown, name = ''): { name: string; cid: string; mimeType: string; size: number }[] {
  if (!isObject(value)) return []
  if (value.$type === 'blob' && isObject(value.ref))
    return [{ name, cid: String(value.ref.$link), mimeType: String(value.mimeType), size: Number(value.size) }]
  return Object.entries(value).flatMap(([key, inner]) => blobsOf(inner, key))
}

/** The types and the bytes that the schemas allow, which the library does not check, by field. */
const BLOB_LIMITS: Record<string, { type: RegExp; bytes: number }> = {
  image: { type: /^image\//, bytes: 2_000_000 },
  thumb: { type: /^image\//, bytes: 1_000_000 },
  video: { type: /^video\/mp4$/, bytes: 300_000_000 },
  file: { type: /^text\/vtt$/, bytes: 20_000 },
}

function problemOfBlob({ name, mimeType, size }: ReturnType<typeof blobsOf>[number]) {
  const limits = BLOB_LIMITS[name]
  if (limits && !limits.type.test(mimeType)) return `Unexpected type (got "${mimeType}") at ${name}.mimeType`
  if (limits && size > limits.bytes) return `blob too big (maximum ${limits.bytes}, got ${size}) at ${name}`
}

/**
 * The mistakes that the server itself lets through, because only the app shows their effect: annotations beyond the
 * text, replies to other content, and settings under another key than their post's.
 */
function hiddenMistake({ records }: Repo, rkey: string, value: Value, collection: string) {
  if (GATES.includes(collection))
    return String(value.post).endsWith(`/${POST}/${rkey}`) ? undefined : 'The record key differs from that of the post'
  if (collection !== POST) return undefined
  const length = Buffer.byteLength(String(value.text))
  for (const facet of Array.isArray(value.facets) ? value.facets : []) {
    const { byteStart, byteEnd } = facet.index
    if (byteStart >= byteEnd || byteEnd > length) return 'A facet lies outside of the text'
  }
  if (!isObject(value.reply)) return undefined
  for (const ref of [value.reply.root, value.reply.parent])
    if (isObject(ref) && records.get(String(ref.uri))?.cid !== ref.cid) return 'A reply refers to no stored record'
}

type Write = { did: string; collection: string; rkey: string; value: Value }

/** Validates a write as the server does, with the official schemas, and more strictly where `hiddenMistake` says. */
function problemOf(repo: Repo, { did, collection, rkey, value }: Write): Reply | undefined {
  if (!/^[\w.:~-]{1,512}$/.test(rkey)) return invalid(`Invalid record key (got "${rkey}") at $.rkey`)
  if (value.$type !== undefined && value.$type !== collection)
    return invalid(`Invalid $type: expected ${collection}, got ${value.$type}`)
  const known = lexicons.get(collection)
  if (known && (collection === POST || GATES.includes(collection)) && !TID.test(rkey))
    return invalid(`Invalid record key for ${collection}: Invalid TID string (got "${rkey}") at $`)
  const result = known && lexicons.validate(collection, jsonToLex({ ...value, $type: collection }))
  if (result && !result.success) return invalid(`Invalid ${collection} record: ${result.error.message}`)
  const unlisted = unlistedField(known && lexicons.getDef(collection), value)
  if (unlisted !== undefined) return invalid(`Invalid ${collection} record: unknown property ${unlisted}`)
  const blobs = blobsOf(value)
  const problem = blobs.map(problemOfBlob).find((each) => each !== undefined)
  if (problem) return invalid(`Invalid ${collection} record: ${problem}`)
  const missing = blobs.find(({ cid }) => !repo.blobs.has(`${did}:${cid}`))
  if (missing) return refuse(400, 'BlobNotFound', `Could not find blob: ${missing.cid}`)
  const mistake = hiddenMistake(repo, rkey, value, collection)
  return mistake ? invalid(mistake) : undefined
}

let revisions = 0
const commit = () => {
  const rev = `3k${(++revisions)
    .toString(36)
    .padStart(11, 'a')
    .replace(/[0189]/g, '2')}`
  return { cid: cidOf(rev, 0x71), rev }
}

const uriOf = ({ did, collection, rkey }: Omit<Write, 'value'>) => `at://${did}/${collection}/${rkey}`

function store(repo: Repo, write: Write) {
  const value = { $type: write.collection, ...write.value }
  const record = { uri: uriOf(write), cid: cidOf(canonical(value), 0x71), value }
  repo.records.set(record.uri, record)
  return { uri: record.uri, cid: record.cid, validationStatus: lexicons.get(write.collection) ? 'valid' : 'unknown' }
}

function remove(repo: Repo, uri: string) {
  const record = repo.records.get(uri)
  if (record) repo.removed.push(record)
  return repo.records.delete(uri)
}

export function createRecord(repo: Repo, write: Write): Reply {
  const problem = problemOf(repo, write)
  if (problem) return problem
  if (repo.records.has(uriOf(write))) return broken
  return ok({ ...store(repo, write), commit: commit() })
}

/** `swapRecord`: null demands that there is none, a content id that it is this one, undefined nothing. */
export function putRecord(repo: Repo, write: Write, swapRecord: unknown): Reply {
  const problem = problemOf(repo, write)
  if (problem) return problem
  const current = repo.records.get(uriOf(write))
  if (current && canonical(current.value) === canonical({ $type: write.collection, ...write.value }))
    return ok({ uri: current.uri, cid: current.cid, validationStatus: 'valid' })
  if (swapRecord !== undefined && swapRecord !== (current?.cid ?? null))
    return refuse(400, 'InvalidSwap', `Record was at ${current?.cid ?? 'null'}`)
  return ok({ ...store(repo, write), commit: commit() })
}

export function deleteRecord(repo: Repo, write: Omit<Write, 'value'>): Reply {
  return ok(remove(repo, uriOf(write)) ? { commit: commit() } : {})
}

/** Does all writes, or none. */
export function applyWrites(repo: Repo, did: string, given: unknown): Reply {
  const writes = (Array.isArray(given) ? given : []).map((each) => ({
    action: String(each.$type).replace('com.atproto.repo.applyWrites#', ''),
    write: { did, collection: String(each.collection), rkey: String(each.rkey), value: each.value },
  }))
  const before = { records: new Map(repo.records), removed: [...repo.removed] }
  const results: unknown[] = []
  for (const { action, write } of writes) {
    const problem = action === 'delete' ? undefined : problemOf(repo, write)
    const conflict = repo.records.has(uriOf(write)) === (action === 'create')
    if (problem || conflict) {
      repo.records.clear()
      for (const [uri, record] of before.records) repo.records.set(uri, record)
      repo.removed.splice(0, repo.removed.length, ...before.removed)
      return problem ?? broken
    }
    const type = { $type: `com.atproto.repo.applyWrites#${action}Result` }
    if (action === 'delete') remove(repo, uriOf(write))
    results.push(action === 'delete' ? type : { ...type, ...store(repo, write) })
  }
  return ok({ commit: commit(), results })
}

export function getRecord({ records }: Repo, repo: string, collection: string, rkey: string): Reply {
  const uri = uriOf({ did: repo, collection, rkey })
  const found = records.get(uri)
  return found ? ok(found) : refuse(400, 'RecordNotFound', `Could not locate record: ${uri}`)
}

/** Keeps bytes for a record, and returns the reference to them. */
export function keepBlob({ blobs }: Repo, did: string, bytes: Buffer, mimeType: string) {
  const cid = cidOf(bytes, 0x55)
  const known = blobs.get(`${did}:${cid}`) ?? { mimeType, size: bytes.length }
  blobs.set(`${did}:${cid}`, known)
  return { $type: 'blob', ref: { $link: cid }, ...known }
}

export function uploadBlob(repo: Repo, did: string, bytes: Buffer, mimeType: string): Reply {
  if (bytes.length > repo.blobLimit) return refuse(413, 'PayloadTooLarge', 'request entity too large')
  return ok({ blob: keepBlob(repo, did, bytes, mimeType) })
}

/** The posts as readers see them, by the time in their keys. */
export function storedPosts({ records, removed }: Repo): StoredPost[] {
  const show = ({ uri, value }: Stored, deleted: boolean): StoredPost => {
    const embed = isObject(value.embed) ? value.embed : {}
    const files = Array.isArray(embed.images) ? embed.images : embed.video ? [embed] : []
    const reply = isObject(value.reply) && isObject(value.reply.parent) ? value.reply.parent.uri : null
    return {
      id: uri,
      text: String(value.text),
      media: files.map((file) => ({ type: blobsOf(file)[0]?.mimeType ?? '', alt: file.alt ?? null })),
      replyTo: reply === null ? null : String(reply),
      deleted,
    }
  }
  const posts = [
    ...removed.map((record) => show(record, true)),
    ...[...records.values()].map((record) => show(record, false)),
  ]
  const key = ({ id }: StoredPost) => id.split('/').at(-1) ?? ''
  return posts.filter(({ id }) => id.includes(`/${POST}/`)).sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
