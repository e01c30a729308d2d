import type { Caller, Side } from './cast.ts'
import type { ApiDocument } from './document.ts'

/** What is known of the Meydan that is called, for one caller at one moment. */
export type World = {
  now: () => Date
  workspace_id: string | undefined
  /** Of a record that the caller may well see; of none when nothing is known. */
  id: (collection: string, n: number) => string
  /** Of a record of somebody else. */
  foreignId: (collection: string, n: number) => string
  cursor: (n: number) => string
  etag: (n: number) => string
  invitationToken: (n: number) => string
  hookUrl: (n: number) => string
  knownAddress: (n: number) => string
  freshAddress: () => string
  freshName: () => string
  /** The form of an account that the stand-in of its network has. */
  blueskyAccount: () => Record<string, string>
}

const MOST = 60

/** What the answers told, kept for later requests. */
export function memory(
  document: ApiDocument,
  { hooks, now, blueskyAccount }: Pick<World, 'now' | 'blueskyAccount'> & { hooks: string[] },
) {
  const ids = new Map<string, string[]>()
  const cursors: string[] = ['', 'x', Buffer.from('00000000-0000-7000-8000-000000000000').toString('base64url')]
  const etags = ['"1"']
  const invitations: string[] = ['A'.repeat(43)]
  const addresses = ['nobody@example.com']
  let count = 0

  const keep = (list: string[], value: string) => {
    if (list.includes(value)) return
    list.push(value)
    if (list.length > MOST) list.shift()
  }
  const place = (side: Side, collection: string) => {
    const known = ids.get(`${side} ${collection}`) ?? []
    ids.set(`${side} ${collection}`, known)
    return known
  }
  /** A UUID that no record has, the same for the same number. */
  const absent = (n: number) => `00000000-0000-7000-8000-${(n % 2 ** 40).toString(16).padStart(12, '0')}`
  const nth = (list: string[], n: number) => list[n % (list.length || 1)]

  return {
    keepInvitation: (token: string) => keep(invitations, token),
    /** Those who knew the records are gone. */
    forget: () => ids.clear(),
    /** Notes what a success told. */
    learn: (path: string, side: Side, { headers, body }: { headers: Record<string, unknown>; body: unknown }) => {
      if (typeof headers.etag === 'string') keep(etags, headers.etag)
      if (typeof body !== 'object' || body === null) return
      const next = Reflect.get(body, 'next_cursor')
      if (typeof next === 'string') keep(cursors, next)
      const collection = document.collectionOf(path)
      if (collection === undefined) return
      const data: unknown = Reflect.get(body, 'data')
      for (const record of Array.isArray(data) ? data : [body]) {
        if (typeof record !== 'object' || record === null) continue
        const [id, email] = [Reflect.get(record, 'id'), Reflect.get(record, 'email')]
        if (typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)) keep(place(side, collection), id)
        if (typeof email === 'string') keep(addresses, email)
      }
    },
    worldOf: ({ side, workspace_id }: Caller): World => ({
      now,
      workspace_id,
      id: (collection, n) => nth(place(side, collection), n) ?? absent(n),
      foreignId: (collection, n) => nth(place(side === 'house' ? 'next door' : 'house', collection), n) ?? absent(n),
      cursor: (n) => nth(cursors, n) ?? '',
      etag: (n) => nth(etags, n) ?? '',
      invitationToken: (n) => nth(invitations, n) ?? '',
      hookUrl: (n) => nth(hooks, n) ?? '',
      knownAddress: (n) => nth(addresses, n) ?? '',
      freshAddress: () => `fresh-${++count}@example.com`,
      blueskyAccount,
      freshName: () => `Fresh ${++count}`,
    }),
  }
}

export type Memory = ReturnType<typeof memory>
