import { equalInConstantTime, hmac, type NamedKey } from '../../../lib/crypto/crypto.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { mailboxOf } from '../../../lib/email.ts'
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

const hashWith = ({ id, key }: NamedKey, mailbox: string) =>
  `v1$${id}$${hmac(key, `client mailbox|${mailbox}`).digest('base64url')}`

/** What is kept of an address after the link has ended, to find it again. */
export const hashAddress = ({ keyring }: Pick<Deps, 'keyring'>, email: string) =>
  hashWith(keyring.current('unsubscribe'), mailboxOf(email))

/** Returns the time at which the reader of an address stopped the mails of a workspace. */
export async function findStop(
  tx: Tx,
  { keyring }: Pick<Deps, 'keyring'>,
  { workspace_id, email }: { workspace_id: string; email: string },
) {
  const keys = keyring.list().filter(({ purpose }) => purpose === 'unsubscribe')
  const hashes = keys.map(({ id }) => hashWith({ id, key: keyring.byId(id) }, mailboxOf(email)))
  const stopped = await tx
    .selectFrom('client_link')
    .select('mails_stopped_at')
    .where('workspace_id', '=', workspace_id)
    .where('client_email_hash', 'in', hashes)
    .where('mails_stopped_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return stopped?.mails_stopped_at ?? null
}

/** Stops the mails of all links of a workspace to the address of a link. Repeating it changes nothing. */
export const stopClientMails = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, link_id: string) =>
  db
    .updateTable('client_link')
    .from('client_link as stopped')
    .set({ mails_stopped_at: clock.now() })
    .where('stopped.id', '=', link_id)
    .whereRef('client_link.workspace_id', '=', 'stopped.workspace_id')
    .whereRef('client_link.client_email_hash', '=', 'stopped.client_email_hash')
    .where('client_link.mails_stopped_at', 'is', null)
    .execute()
