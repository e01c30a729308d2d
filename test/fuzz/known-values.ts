import type { Caller, Tenant } from './callers.ts'
import type { ApiDocument } from './document.ts'

/** Known values of the called Meydan, for one caller at one time. */
export type KnownValues = {
  now: () => Date
  workspace_id: string | undefined
  /** The id of a record the caller can probably see; an unused id if none is known. */
  id: (collection: string, n: number) => string
  /** The id of another tenant's record. */
  foreignId: (collection: string, n: number) => string
  cursor: (n: number) => string
  etag: (n: number) => string
  invitationToken: (n: number) => string
  hookUrl: (n: number) => string
  knownAddress: (n: number) => string
  freshAddress: () => string
  freshName: () => string
  /** The form of an account that exists on the network's stand-in. */
  blueskyAccount: () => Record<string, string>
}

const MAX_KEPT = 60

/** Collects values of responses for later requests. */
export function collectKnownValues(
  document: ApiDocument,
  { hooks, now, blueskyAccount }: Pick<KnownValues, 'now' | 'blueskyAccount'> & { hooks: string[] },
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
    if (list.length > MAX_KEPT) list.shift()
  }
  const place = (tenant: Tenant, collection: string) => {
    const known = ids.get(`${tenant} ${collection}`) ?? []
    ids.set(`${tenant} ${collection}`, known)
    return known
  }
  /** A UUID of no record, always the same for a number. */
  const absent = (n: number) => `00000000-0000-7000-8000-${(n % 2 ** 40).toString(16).padStart(12, '0')}`
  const nth = (list: string[], n: number) => list[n % (list.length || 1)]

  return {
    keepInvitation: (token: string) => keep(invitations, token),
    /** The callers that could see the records are gone. */
    forget: () => ids.clear(),
    /** Collects the values of a successful response. */
    learn: (path: string, tenant: Tenant, { headers, body }: { headers: Record<string, unknown>; body: unknown }) => {
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
        if (typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)) keep(place(tenant, collection), id)
        if (typeof email === 'string') keep(addresses, email)
      }
    },
    valuesFor: ({ tenant, workspace_id }: Caller): KnownValues => ({
      now,
      workspace_id,
      id: (collection, n) => nth(place(tenant, collection), n) ?? absent(n),
      foreignId: (collection, n) => nth(place(tenant === 'own' ? 'other' : 'own', collection), n) ?? absent(n),
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
