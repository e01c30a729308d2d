import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'

/** The id of nothing. */
export const NOTHING = '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56'

export const createWebhook = async (person: WorkspaceOwner, url = 'http://127.0.0.1:9/', events = ['*']) =>
  expectStatus(await person.post('/api/v1/webhooks', { url, events }), 201).body

export const draft = async (person: WorkspaceOwner, content = 'Hello') =>
  expectStatus(await person.post('/api/v1/posts', { content }), 201).body

export const deliveriesPath = ({ id }: { id: string }, rest = '') => `/api/v1/webhooks/${id}/deliveries${rest}`

export const deliveriesOf = async (person: WorkspaceOwner, webhook: { id: string }, query = '') =>
  expectStatus(await person.get(deliveriesPath(webhook, query)), 200).body

/** The deliveries of a webhook that have not succeeded, oldest first. */
export const openDeliveries = ({ deps }: TestApp, webhook_id: string) =>
  deps.db.selectFrom('delivery').selectAll().where('webhook_id', '=', webhook_id).orderBy('id').execute()

export const attemptsOf = ({ deps }: TestApp, webhook_id: string) =>
  deps.db
    .selectFrom('attempt')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .orderBy('delivery_id')
    .orderBy('n')
    .execute()

/** Creates a webhook in a workspace of its own with this many waiting deliveries, oldest first. */
export async function withDeliveries(t: TestApp, count: number) {
  const person = await withWorkspace(t)
  const webhook = await createWebhook(person)
  for (let n = 0; n < count; n++) await draft(person)
  return { person, webhook, ids: (await openDeliveries(t, webhook.id)).map(({ id }) => id) }
}

export const changeDeliveries = ({ deps }: TestApp, ids: (string | undefined)[], values: object) =>
  deps.db
    .updateTable('delivery')
    .set(values)
    .where(
      'id',
      'in',
      ids.filter((id) => id !== undefined),
    )
    .execute()

type Tried = { n?: number; ok?: boolean; status?: number | null; error?: string | null }
/** Records an attempt as the dispatcher does: of a successful delivery, only the attempt is left. */
export async function attempted(
  t: TestApp,
  id: string | undefined,
  { n = 1, ok = true, status = ok ? 200 : 500, error = null }: Tried = {},
) {
  const { webhook_id, event_id, type, trigger } = await t.deps.db
    .selectFrom('delivery')
    .selectAll()
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow()
  const at = t.clock.now()
  const attempt = {
    webhook_id,
    event_id,
    type,
    trigger,
    n,
    at,
    ok,
    done: ok,
    status,
    error,
    response: 'ok',
    duration_ms: 7,
  }
  await t.deps.db
    .insertInto('attempt')
    .values({ ...attempt, delivery_id: id ?? '' })
    .execute()
  if (ok)
    await t.deps.db
      .deleteFrom('delivery')
      .where('id', '=', id ?? '')
      .execute()
  else await changeDeliveries(t, [id], { attempts: n, step: n })
}

/** Polls the webhook until it is as wanted: the dispatcher saves a result after the receiver has responded. */
export async function webhookUntil(
  person: WorkspaceOwner,
  id: string,
  wanted: (webhook: Record<string, unknown>) => boolean,
) {
  return expect
    .poll(async () => wanted((await person.get(`/api/v1/webhooks/${id}`)).body), { timeout: 30_000, interval: 20 })
    .toBe(true)
}
