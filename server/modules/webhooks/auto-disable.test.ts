import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import { waiting as lockWaits } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { emit } from '../../lib/events/emit.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { checkFailingWebhooks, disableFailing, disableGone, holdDeliveries } from './auto-disable.ts'
import { webhookEvents } from './webhooks.events.ts'

const HOUR = 3600_000

let owner: WorkspaceOwner
let hook: string
// PostgreSQL dates audit entries by its own clock.
const t = await testApp({}, { origin: new Date() })
beforeEach(async () => {
  owner = await withWorkspace(t)
  hook = await webhook()
})

async function webhook(input: object = {}) {
  const body = { url: 'http://127.0.0.1:1/hook', events: ['post.created'], ...input }
  return expectStatus(await owner.post('/api/v1/webhooks', body), 201).body.id as string
}
const ago = (hours: number) => new Date(t.clock.now().getTime() - hours * HOUR)
const health = (values: object, id = hook) =>
  t.deps.db.updateTable('webhook_health').set(values).where('webhook_id', '=', id).execute()
/** Sets the health that the dispatcher writes when every attempt since then has failed. */
const failing = (hours: number, more: object = {}, id = hook) =>
  health({ failure_count: 20, first_failure_at: ago(hours), last_failure_at: ago(0), ...more }, id)
/** Inserts a failed attempt as the dispatcher does. */
const attempt = (values: object = {}) =>
  sql`with made as (
      insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, error)
      select webhook_id, uuidv7(), coalesce(n, 1), uuidv7(), type, coalesce(trigger, 'schedule'),
        ${t.clock.now()}, false, false, status, 5, error
      from jsonb_populate_record(null::attempt, ${JSON.stringify({ webhook_id: hook, type: 'post.created', ...values })}::jsonb)
      returning webhook_id, delivery_id, trigger
    ) update webhook_health set last_failed_delivery = delivery_id from made
    where webhook_health.webhook_id = made.webhook_id and trigger <> 'test'`.execute(t.deps.db)
const checkFailing = async () => {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'disable-failing-webhooks', {}))
  await t.runJobs()
}
const read = async (id = hook) => expectStatus(await owner.get(`/api/v1/webhooks/${id}`), 200).body
const mailsTo = (address: string) =>
  t.deps.db
    .selectFrom('mail')
    .selectAll()
    .where('to_address', '=', address)
    .where('key', 'like', 'webhook-%')
    .orderBy('id')
    .execute()
const keysTo = async (address = owner.email) => (await mailsTo(address)).map(({ key }) => key)
const entries = (id = hook) =>
  t.deps.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'workspace_id', 'details'])
    .where('target_id', '=', id)
    .where('action', '=', 'webhook.disabled')
    .execute()
const waiting = (count: number, more: object = {}) =>
  sql`insert into delivery (webhook_id, event_id, type, state, run_at, claim_id)
    select webhook_id, uuidv7(), 'post.created', coalesce(state, 'waiting'), coalesce(run_at, ${t.clock.now()}), claim_id
    from jsonb_populate_record(null::delivery, ${JSON.stringify({ webhook_id: hook, ...more })}::jsonb), generate_series(1, ${count}::int)`.execute(
    t.deps.db,
  )
const states = async (id = hook) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from delivery where webhook_id = ${id} group by state`.execute(t.deps.db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const hold = async () => {
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'hold-deliveries', { webhook_id: hook }))
  await t.runJobs()
}

describe('a webhook without a success for 120 hours', () => {
  test.each([
    ['two deliveries ran out of attempts', { exhausted: 2 }],
    ['its circuit opened twice', { circuit_opened: 2 }],
  ])('a webhook without a success for 120 hours is disabled when %s', async (_, more) => {
    await failing(120, { warned: 2, ...more })
    await waiting(3)
    await checkFailing()
    const { active, disabled_reason, disabled_at, failure_count } = await read()
    expect({ active, disabled_reason, disabled_at, failure_count }).toEqual({
      ...{ active: false, disabled_reason: 'failing', failure_count: 20 },
      disabled_at: t.clock.now().toISOString(),
    })
    expect(await entries()).toEqual([
      {
        ...{ action: 'webhook.disabled', actor_id: null, workspace_id: owner.workspace_id },
        details: { reason: 'failing', url: 'http://127.0.0.1:1/hook' },
      },
    ])
    expect(await keysTo()).toEqual(['webhook-disabled'])
    expect(await states()).toEqual({ held: 3 })
  })

  test.each([
    ['when one delivery ran out and the circuit opened once', 120, { exhausted: 1, circuit_opened: 1 }],
    ['a second before the time is over', 120 - 1 / 3600, { exhausted: 9, circuit_opened: 9 }],
    ['after a success', 500, { exhausted: 9, circuit_opened: 9, failure_count: 0, first_failure_at: null }],
  ])('a webhook is not disabled %s', async (_, hours, more) => {
    await failing(hours, { warned: 2, ...more })
    await checkFailing()
    expect((await read()).active).toBe(true)
    expect(await entries()).toEqual([])
    expect(await keysTo()).toEqual([])
  })

  test('a webhook that a member has disabled stays as it is', async () => {
    expectStatus(await owner.patch(`/api/v1/webhooks/${hook}`, { active: false }), 200)
    await failing(500, { exhausted: 9 })
    await checkFailing()
    expect((await read()).disabled_reason).toBe('manual')
    expect(await keysTo()).toEqual([])
  })

  test('only the given webhooks are disabled, or all when none are given', async () => {
    const other = await webhook()
    await failing(120, { exhausted: 2 })
    await failing(120, { exhausted: 2 }, other)
    await inTransaction(t.deps.db, (tx) => disableFailing(t.deps, tx, [hook]))
    expect([(await read()).active, (await read(other)).active]).toEqual([false, true])
    await inTransaction(t.deps.db, (tx) => disableFailing(t.deps, tx, undefined))
    expect((await read(other)).active).toBe(false)
  })

  test('the owners are warned again after the webhook was enabled again', async () => {
    await failing(120, { exhausted: 2, warned: 2 })
    await checkFailing()
    expectStatus(await owner.patch(`/api/v1/webhooks/${hook}`, { active: true }), 200)
    await checkFailing()
    expect((await read()).active).toBe(true)
    await failing(24)
    await checkFailing()
    expect(await keysTo()).toEqual(['webhook-disabled', 'webhook-failing'])
  })
})

test('WEBHOOK_DISABLE_AFTER_S sets the time until a webhook is disabled, and no warning is sent when it is short', async () => {
  await failing(1, { exhausted: 2 })
  const config = { ...t.deps.config, WEBHOOK_DISABLE_AFTER_S: 3601 }
  await checkFailingWebhooks({ ...t.deps, config })
  expect((await read()).active).toBe(true)
  await checkFailingWebhooks({ ...t.deps, config: { ...config, WEBHOOK_DISABLE_AFTER_S: 3600 } })
  expect((await read()).active).toBe(false)
  expect(await keysTo()).toEqual(['webhook-disabled'])
})

describe('mails to the owners', () => {
  test.each([
    ['are not sent in the first day', [0, 1, 23.99], 0],
    ['are sent once after 24 hours', [24, 24.02, 50, 71.99], 1],
    ['are sent again after 72 hours', [24, 72, 72.02, 119], 2],
    ['are sent once when the first check is late', [80, 80.02], 1],
    ['are sent once when the webhook is disabled by the first check', [130], 1],
  ])('mails about a failing webhook %s', async (_, hours, count) => {
    for (const each of hours) {
      await failing(each, { exhausted: each === 130 ? 2 : 0 })
      await checkFailing()
    }
    expect(await mailsTo(owner.email)).toHaveLength(count)
  })

  test('each owner gets a mail in their language with the endpoint, the time, the last failure, a link and what follows', async () => {
    hook = await webhook({ url: 'http://127.0.0.1:1/orders', description: 'Orders' })
    const second = await memberOf(t, owner.workspace_id, 'owner')
    expectStatus(await second.patch('/api/v1/me', { locale: 'tr-TR' }), 200)
    expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'Europe/Istanbul' }), 200)
    const { name, slug } = (await owner.get('/api/v1/workspace')).body
    await failing(25)
    await health({ first_failure_at: new Date('2026-03-01T10:30:00Z') })
    await attempt({ status: 500 })
    await attempt({ n: 7, status: 503, type: 'post.published' })
    await attempt({ status: 404, trigger: 'test', type: 'webhook.test' })
    await checkFailing()
    const [mail] = await mailsTo(owner.email)
    expect(mail).toMatchObject({ locale: 'en', state: 'kept' })
    expect(mail?.subject).toBe(`A webhook of ${name} has been failing since March 1, 2026 at 01:30 PM GMT+3`)
    for (const part of [
      `the workspace ${name} has succeeded since March 1, 2026 at 01:30 PM GMT+3: http://127.0.0.1:1/orders (Orders)\n`,
      'Last failed attempt: post.published, HTTP 503\n',
      `http://meydan.test/w/${slug}/webhooks/${hook}\n`,
      'by March 6, 2026 at 01:30 PM GMT+3, it disables the webhook and holds its events for 30 days',
    ])
      expect(mail?.body_text).toContain(part)
    const [turkish] = await mailsTo(second.email)
    expect(turkish?.body_text).toContain('1 Mart 2026 13:30 GMT+3 tarihinden beri')
    expect(turkish?.body_text).toContain('Son başarısız deneme: post.published, HTTP 503')
  })

  test('text of others is quoted in one line, escaped, cut and without links', async () => {
    const description = `<b>x</b>\n\n{{page_url}} \u202etxt.exe ${'é'.repeat(150)}`
    hook = await webhook({ url: `http://127.0.0.1:1/?${'a'.repeat(1500)}&b=<i>`, description })
    await failing(24)
    await attempt({ error: `<a href="http://evil.test">\r\nBcc: you@evil.test\u2028${'y'.repeat(380)}` })
    await checkFailing()
    const [mail] = await mailsTo(owner.email)
    const html = mail?.body_html ?? ''
    const text = mail?.body_text ?? ''
    expect(text.split('\n').filter(Boolean)).toHaveLength(9)
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt; {{page_url}} txt.exe')
    expect(html).toContain('&lt;a href=&quot;http://evil.test&quot;&gt; Bcc: you@evil.test y')
    expect(html).not.toMatch(/<(b|i)>/)
    const page = `http://meydan.test/w/${await slug()}/webhooks/${hook}`
    expect([...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual([page, page])
    expect(text).not.toMatch(/[\u202e\u2028\r]|a{201}|y{201}/)
    expect(text).toContain(`${'a'.repeat(170)}…`)
  })

  test('the error is named when there was no response', async () => {
    await failing(24)
    await attempt({ error: 'connection refused' })
    await checkFailing()
    expect((await mailsTo(owner.email))[0]?.body_text).toContain('post.created, connection refused\n')
  })

  test('only owners who are verified and not banned get a mail', async () => {
    const [admin, unverified, banned] = [
      await memberOf(t, owner.workspace_id, 'admin'),
      await memberOf(t, owner.workspace_id, 'owner'),
      await memberOf(t, owner.workspace_id, 'owner'),
    ]
    await t.deps.db.updateTable('user').set({ email_verified: false }).where('id', '=', unverified.id).execute()
    await t.deps.db
      .updateTable('user')
      .set({ banned_at: ago(1) })
      .where('id', '=', banned.id)
      .execute()
    await failing(24)
    await checkFailing()
    for (const { email } of [admin, unverified, banned]) expect(await keysTo(email)).toEqual([])
    expect(await keysTo()).toEqual(['webhook-failing'])
  })

  test('the owners of a deleted workspace get no mail', async () => {
    const { name } = (await owner.get('/api/v1/workspace')).body
    expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    await failing(120, { exhausted: 2 })
    await checkFailing()
    expect(await entries()).toHaveLength(1)
    expect(await keysTo()).toEqual([])
  })
})

const slug = async () => (await owner.get('/api/v1/workspace')).body.slug

describe('checks of many nodes at the same time', () => {
  const together = () => Promise.all(Array.from({ length: 6 }, () => checkFailingWebhooks(t.deps)))

  test('one of many nodes disables the webhook, writes the audit entry and sends the mail', async () => {
    await failing(120, { exhausted: 2 })
    await together()
    expect(await entries()).toHaveLength(1)
    expect(await keysTo()).toEqual(['webhook-disabled'])
  })

  test('one of many nodes sends the warning', async () => {
    await failing(24)
    await together()
    expect(await keysTo()).toEqual(['webhook-failing'])
  })

  test('a success that is saved before the check keeps the webhook enabled', async () => {
    await failing(120, { exhausted: 2 })
    const success = inTransaction(t.deps.db, async (tx) => {
      await tx
        .updateTable('webhook_health')
        .set({ failure_count: 0, first_failure_at: null, exhausted: 0 })
        .where('webhook_id', '=', hook)
        .execute()
      const cared = together()
      await expect.poll(() => lockWaits(t)).toBeGreaterThan(0)
      return { cared }
    })
    await (await success).cared
    expect((await read()).active).toBe(true)
    expect(await keysTo()).toEqual([])
  })
})

test('an error with one webhook does not stop the check of the others', async () => {
  const other = await webhook()
  await failing(121, { exhausted: 2 })
  await failing(120, { exhausted: 2 }, other)
  await sql`create function stand_in_the_way() returns trigger language plpgsql as
    $$ begin raise exception 'this one stays'; end $$`.execute(t.deps.db)
  await sql
    .raw(`create trigger stand_in_the_way before update on webhook for each row
      when (old.id = '${hook}') execute function stand_in_the_way()`)
    .execute(t.deps.db)
  await checkFailing()
  expect([(await read()).active, (await read(other)).active]).toEqual([true, false])
  await sql`drop function stand_in_the_way cascade`.execute(t.deps.db)
  await checkFailing()
  expect((await read()).active).toBe(false)
})

test('an endpoint that responds 410 is disabled at once, and the owners get one mail with the reason', async () => {
  await attempt({ status: 410 })
  const gone = () => inTransaction(t.deps.db, (tx) => disableGone(t.deps, tx, [hook]))
  await Promise.all([gone(), gone(), gone()])
  await waiting(2)
  await t.runJobs()
  expect(await read()).toMatchObject({ active: false, disabled_reason: 'gone' })
  expect((await entries()).map(({ details }) => details)).toMatchObject([{ reason: 'gone' }])
  const mails = await mailsTo(owner.email)
  expect(mails.map(({ key }) => key)).toEqual(['webhook-disabled'])
  for (const part of ['The endpoint responded 410 Gone', 'post.created, HTTP 410'])
    expect(mails[0]?.body_text).toContain(part)
  expect(await states()).toEqual({ held: 2 })
})

test('a webhook that is enabled and disabled again and again sends one mail an hour, and one audit entry each time', async () => {
  const other = await webhook()
  const goAgain = async (id: string) => {
    await inTransaction(t.deps.db, (tx) => disableGone(t.deps, tx, [id]))
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { active: true }), 200)
  }
  for (let n = 0; n < 5; n++) await goAgain(hook)
  expect(await keysTo()).toEqual(['webhook-disabled'])
  expect(await entries()).toHaveLength(5)
  await goAgain(other)
  expect(await keysTo()).toHaveLength(2)
  t.advance(HOUR + 2 * 60_000)
  await goAgain(hook)
  expect(await keysTo()).toHaveLength(3)
})

describe('the waiting deliveries of a disabled webhook', () => {
  test('all 12,000 waiting deliveries are held, and failed ones stay failed', async () => {
    await waiting(12_000)
    await waiting(5, { state: 'failed' })
    expectStatus(await owner.patch(`/api/v1/webhooks/${hook}`, { active: false }), 200)
    await t.runJobs()
    expect(await states()).toEqual({ held: 12_000, failed: 5 })
  })

  test('the deliveries of another webhook, or of one that is enabled again, go on waiting', async () => {
    await waiting(3)
    await hold()
    expect(await states()).toEqual({ waiting: 3 })
  })

  test('deliveries are held in batches before the webhook is enabled, so that no event waits for all of them', async () => {
    hook = await webhook({ events: ['*'] })
    expectStatus(await owner.patch(`/api/v1/webhooks/${hook}`, { active: false }), 200)
    await waiting(12_000)
    // Enabling waits for the event that is being written.
    const { enabling } = await inTransaction(t.deps.db, async (tx) => {
      const data = { webhook_id: hook, message: 'Meanwhile' }
      await emit(tx, webhookEvents['webhook.test'], owner.workspace_id, data, t.clock.now())
      const enabling = owner.patch(`/api/v1/webhooks/${hook}`, { active: true })
      await until(async () => expect(await states()).toEqual({ held: 12_000 }))
      expect((await read()).active).toBe(false)
      return { enabling }
    })
    expect(expectStatus(await enabling, 200).body.active).toBe(true)
    expect(await states()).toEqual({ held: 12_001 })
  })

  test('deliveries are held inside a transaction too', async () => {
    await waiting(7)
    await inTransaction(t.deps.db, (tx) => holdDeliveries(tx, hook, t.clock.now()))
    expect(await states()).toEqual({ held: 7 })
  })

  test('a delivery in flight ends first, and is held a minute later if it still waits', async () => {
    const claim_id = '01890000-0000-7000-8000-000000000000'
    await waiting(1, { claim_id, run_at: ago(-1 / 60) })
    await waiting(1, { claim_id, run_at: ago(1) })
    await t.deps.db.updateTable('webhook').set({ active: false }).where('id', '=', hook).execute()
    await hold()
    expect(await states()).toEqual({ waiting: 1, held: 1 })
    t.advance(70_000)
    await t.runJobs()
    expect(await states()).toEqual({ held: 2 })
  })
})
