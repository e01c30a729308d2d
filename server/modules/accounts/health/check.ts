import { sql } from 'kysely'
import { notFound, problem } from '../../../errors.ts'
import { type Actor, audit } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { networkOf } from '../../networks/registry.ts'
import { accountVersion, connectionChanged, markDisconnected, readAccount } from '../accounts.ts'
import { fetchAvatar } from '../avatars.ts'
import { openAccount } from '../open-account.ts'

/** Whether the network reports another handle than the stored one. It comes from outside, so its form is checked. */
const isNewHandle = (reported: string | undefined, stored: string): reported is string =>
  reported !== undefined && reported !== stored && /^[\w.@-]{1,253}$/.test(reported)

/**
 * Asks the network whether it still accepts the credentials, and stores the result. Not if the account was reconnected
 * or disconnected since: the result is about the former credentials.
 */
export async function checkAccount(deps: Deps, caller: Actor & { workspace_id: string }, id: string) {
  const { db, clock } = deps
  const { workspace_id } = caller
  const account = await db
    .selectFrom('account')
    .select(['network', 'external_id', 'handle', 'credentials', accountVersion.as('version')])
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!account) throw notFound()
  const { external_id, handle, credentials, version } = account
  const opened = openAccount(deps, { id, workspace_id, external_id, handle, credentials, version })
  const response = await networkOf(account).check(deps, opened)
  if (response.kind === 'unavailable')
    throw problem('account_unreachable', {
      detail: `The network did not confirm or reject the credentials: ${sanitizeExternalText(response.message)}`,
    })
  const avatar = response.kind === 'ok' ? await fetchAvatar(deps, workspace_id, response.avatar) : null
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    const current = await tx
      .updateTable('account')
      .set({
        checked_at: now,
        ...(response.kind === 'ok' && response.limits && { limits: JSON.stringify(response.limits) }),
        // One that cannot be fetched now takes the place of none.
        ...(avatar && { avatar }),
      })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(accountVersion, '=', version)
      .returning('status')
      .executeTakeFirst()
    if (current && response.kind === 'unauthorized')
      await markDisconnected(tx, caller, { workspace_id, id, version }, response.message, now)
    if (current && response.kind === 'ok' && isNewHandle(response.handle, handle)) {
      await tx
        .updateTable('account')
        .set({ handle: response.handle, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute()
      await audit(tx, caller, 'account.changed', id, { before: { handle }, after: { handle: response.handle } })
    }
    if (current?.status === 'disconnected' && response.kind === 'ok') {
      await tx
        .updateTable('account')
        .set({ status: 'connected', status_detail: null, ...connectionChanged })
        .where('id', '=', id)
        .execute()
      await audit(tx, caller, 'account.reconnected', id, {
        handle,
        before: { status: 'disconnected' },
        after: { status: 'connected' },
      })
    }
    return readAccount(tx, caller, id)
  })
}
