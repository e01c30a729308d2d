import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../lib/deps.ts'
import { isId } from '../../../lib/http/schema/schema.ts'

const textOf = (id: string) => `client_link.${id}.mail`

/** The address that stops the mails of a link. Undefined on plain http, where mail programs do not call it. */
export function clientUnsubscribeUrl({ keyring, baseUrl }: Pick<Deps, 'keyring' | 'baseUrl'>, link_id: string) {
  if (!baseUrl.startsWith('https:')) return undefined
  const { id, key } = keyring.current('unsubscribe')
  const signature = hmac(key, textOf(link_id)).digest('base64url')
  return `${baseUrl}/unsubscribe/client?${new URLSearchParams({ link: link_id, key: id, signature })}`
}

/** The link whose mails an address stops; undefined for an address that this installation did not make. */
export function readClientUnsubscribe({ keyring }: Pick<Deps, 'keyring'>, query: unknown) {
  const { link, key, signature } = query as Record<string, unknown>
  if (typeof link !== 'string' || typeof key !== 'string' || typeof signature !== 'string' || !isId(link)) return
  if (!keyring.list().some(({ id, purpose }) => id === key && purpose === 'unsubscribe')) return
  const expected = hmac(keyring.byId(key), textOf(link)).digest('base64url')
  return equalInConstantTime(expected, signature) ? link : undefined
}

/** Stops the mails of a link. Repeating it changes nothing. */
export const stopClientMails = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, link_id: string) =>
  db
    .updateTable('client_link')
    .set({ mails_stopped_at: clock.now() })
    .where('id', '=', link_id)
    .where('mails_stopped_at', 'is', null)
    .execute()
