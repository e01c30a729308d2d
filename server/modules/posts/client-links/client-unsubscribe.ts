import type { Static } from 'typebox'
import { invalidTransition } from '../../../errors.ts'
import { equalInConstantTime, hmac, type NamedKey } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { mailboxOf } from '../../../lib/email.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { isId } from '../../../lib/http/schema/schema.ts'
import type { ClientMails } from './client-review.schema.ts'
import type { OpenLink } from './client-session.ts'

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

const hashesOf = ({ keyring }: Pick<Deps, 'keyring'>, email: string) =>
  keyring
    .list()
    .filter(({ purpose }) => purpose === 'unsubscribe')
    .map(({ id }) => hashWith({ id, key: keyring.byId(id) }, mailboxOf(email)))

/** Returns the time at which the reader of an address stopped the mails of a workspace. */
export async function findStop(
  tx: Tx,
  deps: Pick<Deps, 'keyring'>,
  { workspace_id, email }: { workspace_id: string; email: string },
) {
  const stopped = await tx
    .selectFrom('client_link')
    .select('mails_stopped_at')
    .where('workspace_id', '=', workspace_id)
    .where('client_email_hash', 'in', hashesOf(deps, email))
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

/** Turns the mails of all links of a workspace to the address of a link on or off, as its client. */
export const setClientMails = (
  deps: Pick<Deps, 'db' | 'clock' | 'keyring'>,
  origin: Origin,
  { id, name, workspace_id, client_email, may_decide }: OpenLink,
  { gets_mails }: Static<typeof ClientMails>,
) =>
  inTransaction(deps.db, async (tx) => {
    if (client_email === null) throw invalidTransition('without an address', 'change the e-mails of a link')
    // Such a link gets no mails, and would turn on those of the links that do.
    if (!may_decide) throw invalidTransition('for looking only', 'change the e-mails of a link')
    const locked = await tx
      .selectFrom('client_link')
      .select(['id', 'mails_stopped_at'])
      .where('workspace_id', '=', workspace_id)
      .where('client_email_hash', 'in', hashesOf(deps, client_email))
      .orderBy('id')
      .forUpdate()
      .execute()
    const changed = locked.filter(({ mails_stopped_at }) => (mails_stopped_at === null) !== gets_mails)
    if (changed.length === 0) return { gets_mails }
    await tx
      .updateTable('client_link')
      .set({ mails_stopped_at: gets_mails ? null : deps.clock.now() })
      .where(
        'id',
        'in',
        changed.map(({ id }) => id),
      )
      .execute()
    const actor = { ...origin, user_id: null, workspace_id, client_link_id: id }
    await audit(tx, actor, gets_mails ? 'client_link.mails_resumed' : 'client_link.mails_stopped', id, { name })
    return { gets_mails }
  })
