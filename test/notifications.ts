import { randomUUID } from 'node:crypto'
import { inTransaction } from '../server/lib/db/database.ts'
import { insertNotifications, notify } from '../server/modules/notifications/notify.ts'
import type { TestApp } from './app.ts'

/** Notifies the owners of a workspace of an account. Returns the id of the notification. */
export async function notifiedOwner(t: TestApp, workspace_id: string) {
  const cause = randomUUID()
  const subject = { id: randomUUID(), name: 'Bakery' }
  const to = { roles: ['owner'] as const }
  await inTransaction(t.deps.db, (tx) =>
    notify(tx, { kind: 'account.disconnected', workspace_id, cause, subject, to }, t.clock.now()),
  )
  const { id } = await t.deps.db
    .selectFrom('notification_event')
    .select('id')
    .where('dedupe_key', '=', `account.disconnected:${subject.id}:${cause}`)
    .executeTakeFirstOrThrow()
  await insertNotifications(t.deps, { event_id: id })
  return id
}
