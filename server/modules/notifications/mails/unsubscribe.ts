import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../lib/deps.ts'
import { isId } from '../../../lib/http/schema/schema.ts'
import { isKind, type Kind } from '../kinds.ts'

/** `digest`: all kinds that the digest has. */
type Unsubscribed = { user_id: string; kind: Kind | 'digest' }

const textOf = ({ user_id, kind }: Unsubscribed) => `${user_id}.${kind}.mail`

/** The address that stops the mails of a kind to a user. Undefined on plain http, where mail programs do not call it. */
export function unsubscribeUrl({ keyring, baseUrl }: Pick<Deps, 'keyring' | 'baseUrl'>, unsubscribed: Unsubscribed) {
  if (!baseUrl.startsWith('https:')) return undefined
  const { id, key } = keyring.current('unsubscribe')
  const signature = hmac(key, textOf(unsubscribed)).digest('base64url')
  const query = new URLSearchParams({ user: unsubscribed.user_id, kind: unsubscribed.kind, key: id, signature })
  return `${baseUrl}/unsubscribe?${query}`
}

/**
 * The mails that an address stops; undefined for an address that this installation did not make. It does not expire.
 */
export function readUnsubscribe({ keyring }: Pick<Deps, 'keyring'>, query: unknown): Unsubscribed | undefined {
  const { user, kind, key, signature } = query as Record<string, unknown>
  if (typeof user !== 'string' || typeof kind !== 'string' || typeof key !== 'string') return
  if (typeof signature !== 'string' || !isId(user)) return
  if (kind !== 'digest' && !isKind(kind)) return
  const unsubscribed: Unsubscribed = { user_id: user, kind }
  if (!keyring.list().some(({ id, purpose }) => id === key && purpose === 'unsubscribe')) return
  const expected = hmac(keyring.byId(key), textOf(unsubscribed)).digest('base64url')
  return equalInConstantTime(expected, signature) ? unsubscribed : undefined
}
