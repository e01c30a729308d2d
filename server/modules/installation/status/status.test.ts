import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import * as certificates from '../../../../test/certificates.ts'
import { createWebhook } from '../../../../test/deliveries.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { textsOf } from '../../../../test/texts.ts'
import { checks } from '../../../checks.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { check, ok } from '../../../lib/runtime/checks/check.ts'
import { commonOutcomes, runChecks } from '../../../lib/runtime/checks/run-checks.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { holdInstallation } from '../hold.ts'
import { contextOf } from './status.ts'

// PostgreSQL dates jobs, mails and failures.
const origin = new Date()
const t = await testApp({}, { origin })
const admin = await signedIn(t, { instanceAdmin: true })
const HOUR = 3600_000

type Found = { name: string; level: string; code: string; values: object; message: string; remedy: string | null }

/** The finding of a check, over HTTP. `headers`: the headers of the request. */
async function found(name: string, headers: Record<string, string> = {}): Promise<Found> {
  const { body } = expectStatus(await admin.get('/api/v1/admin/status', headers), 200)
  const result = body.checks.find((one: Found) => one.name === name)
  if (!result) throw new Error(`There is no check ${name}`)
  return result
}

/** A Meydan of its own, with the results of its checks. */
async function another(settings: Record<string, string> = {}) {
  const own = await testApp(settings, { origin })
  onTestFinished(own.close)
  const find = async (name: string, app: TestApp = own) => {
    const [result] = await runChecks(
      contextOf(app.deps),
      checks.filter((one) => one.name === name),
    )
    return result?.code
  }
  return { own, find }
}

describe('GET /api/v1/admin/status', () => {
  test('returns every check once, with the worst of their levels', async () => {
    const { own } = await another()
    const admin = await signedIn(own, { instanceAdmin: true })
    const { body } = expectStatus(await admin.get('/api/v1/admin/status', { host: 'meydan.test' }), 200)
    expect(body.checks.map(({ name }: Found) => name)).toEqual(checks.map(({ name }) => name))
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    const wrong = body.checks.filter(({ level }: Found) => level !== 'ok').map(({ code }: Found) => code)
    // A test has no worker.
    expect(wrong).toEqual(['workers.none', 'backups.none', 'mail_server.none', 'admins.one_factor'])
    expect(body).toMatchObject({ level: 'error', read_at: own.clock.now().toISOString() })
    for (const { level, remedy } of body.checks) expect(remedy === null).toBe(level === 'ok')
  })

  test('403 for a user who is no instance admin', async () => {
    const user = await signedIn(t)
    expectProblem(await user.get('/api/v1/admin/status'), 403, 'forbidden_role')
  })

  test('compares BASE_URL and TRUST_PROXY with the request', async () => {
    const host = 'meydan.test'
    expect((await found('base_url', { host })).code).toBe('base_url.ok')
    expect(await found('base_url')).toMatchObject({
      code: 'base_url.other_host',
      values: { host: new URL(t.url).host, base_url: 'http://meydan.test' },
    })
    const forwarded = await found('base_url', { host, 'x-forwarded-for': '203.0.113.9' })
    expect(forwarded).toMatchObject({ code: 'base_url.proxy_not_trusted', level: 'warning' })
    const own = await testApp({ TRUST_PROXY: 'true' }, { beside: { database: t.database }, origin })
    onTestFinished(own.close)
    const behind = own.anyone.with(admin.headers)
    const codeAt = async (headers: Record<string, string>) =>
      expectStatus(await behind.get('/api/v1/admin/status', headers), 200).body.checks[0].code
    expect(await codeAt({ host })).toBe('base_url.no_proxy')
    expect(await codeAt({ host, 'x-forwarded-for': '203.0.113.9' })).toBe('base_url.ok')
  })
})

describe('a check', () => {
  test('that hangs or fails is a result, and the others are still there', async () => {
    const outcomes = { ok: ok('Well.') }
    const declare = (name: string, find: () => Promise<{ outcome: 'ok' }>) =>
      check({ name, group: 'database', outcomes, find })
    const results = await runChecks(
      contextOf(t.deps),
      [
        declare('hangs', () => new Promise(() => undefined)),
        declare('fails', async () => {
          throw new Error('of no known kind\n    at file.ts')
        }),
        declare('works', async () => ({ outcome: 'ok' })),
      ],
      50,
    )
    expect(results).toMatchObject([
      { name: 'hangs', code: 'check.timed_out', level: 'warning' },
      { name: 'fails', code: 'check.failed', message: 'The check failed: of no known kind' },
      { name: 'works', code: 'works.ok' },
    ])
  })

  test('does not wait for a database that does not respond', async () => {
    const { own } = await another()
    await inTransaction(own.deps.db, async (tx) => {
      await sql`lock table mail in access exclusive mode`.execute(tx)
      const results = await runChecks(contextOf(own.deps), checks, 500)
      expect(results.find(({ name }) => name === 'outbox')?.code).toBe('check.timed_out')
      expect(results).toHaveLength(checks.length)
    })
  })

  test('has its texts in the console, in English and Turkish', () => {
    const [en, tr] = [textsOf('en'), textsOf('tr')]
    const all = [
      ...checks.map(({ name, outcomes }) => ({ name, outcomes })),
      { name: 'check', outcomes: commonOutcomes },
    ]
    for (const { name, outcomes } of all) {
      if (name !== 'check') expect(en.has(`admin.status.name.${name}`), name).toBe(true)
      for (const [outcome, { message, remedy }] of Object.entries(outcomes)) {
        const key = `admin.status.found.${name}.${outcome}`
        expect(en.get(`${key}.message`), key).toBe(message)
        expect(en.get(`${key}.remedy`) ?? null, key).toBe(remedy)
        expect(tr.has(`${key}.message`), key).toBe(true)
        expect(tr.has(`${key}.remedy`), key).toBe(remedy !== null)
      }
    }
    const known = new Set(
      all.flatMap(({ name, outcomes }) => Object.keys(outcomes).map((outcome) => `${name}.${outcome}`)),
    )
    const texts = [...en.keys()].flatMap((key) => /^admin\.status\.found\.(.+)\.message$/.exec(key)?.[1] ?? [])
    expect(texts.filter((code) => !known.has(code))).toEqual([])
  })
})

describe('jobs and posts', () => {
  test('a worker is heard, and a held installation says so', async () => {
    const { own, find } = await another()
    expect(await find('workers')).toBe('workers.none')
    await sql`insert into worker_node (id, worker_ids) values (${randomUUID()}, '{}')`.execute(own.deps.db)
    expect(await find('workers')).toBe('workers.ok')
    await inTransaction(own.deps.db, (tx) => holdInstallation(tx, origin))
    expect(await find('workers')).toBe('workers.held')
  })

  test('a backup that was verified is in order for two days', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meydan-backups-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { own, find } = await another({ BACKUP_URL: `file:${folder}`, BACKUP_PASSPHRASE: 'simit ve çay her sabah' })
    expect(await find('backups')).toBe('backups.none')
    const operator = await signedIn(own, { instanceAdmin: true })
    expectStatus(await operator.post('/api/v1/admin/backups'), 201)
    await own.runJobs()
    expect(await find('backups')).toBe('backups.ok')
    own.advance(48 * 3600_000)
    expect(await find('backups')).toBe('backups.old')
  })

  test('a job that waits or is held for long is reported with its name', async () => {
    const add = (minutes: number) =>
      inTransaction(t.deps.db, (tx) =>
        addJob(tx, 'check-ledger', {}, { runAt: new Date(origin.getTime() + minutes * 60_000) }),
      )
    await add(60)
    expect(await found('jobs')).toMatchObject({ code: 'jobs.ok' })
    await add(-20)
    expect(await found('jobs')).toMatchObject({ code: 'jobs.late', values: { job: 'check-ledger' } })
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '15 minutes', locked_by = 'gone'
      where run_at < now()`.execute(t.deps.db)
    expect(await found('locked_jobs')).toMatchObject({ code: 'locked_jobs.long', values: { count: 1 } })
    await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
    expect(await found('locked_jobs')).toMatchObject({ code: 'locked_jobs.ok' })
  })

  test('a post is late after five minutes, and an error after an hour', async () => {
    const { own, find } = await another()
    const owner = await withWorkspace(own)
    const scheduled_at = new Date(own.clock.now().getTime() + 60_000).toISOString()
    const account_ids = [await playgroundAccount(owner)]
    expectStatus(await owner.post('/api/v1/posts', { content: 'Simit', account_ids, scheduled_at }), 201)
    own.advance(5 * 60_000)
    expect(await find('overdue_posts')).toBe('overdue_posts.ok')
    own.advance(2 * 60_000)
    expect(await find('overdue_posts')).toBe('overdue_posts.late')
    own.advance(HOUR)
    expect(await find('overdue_posts')).toBe('overdue_posts.very_late')
  })

  test('due deliveries and failing webhooks are reported', async () => {
    const owner = await withWorkspace(t)
    const { id } = await createWebhook(owner, 'https://shop.example.com/hook')
    expectStatus(await owner.post('/api/v1/posts', { content: 'Draft' }), 201)
    const wait = (time: string) =>
      sql`update delivery set run_at = now() - ${time}::interval where webhook_id = ${id}`.execute(t.deps.db)
    await wait('0 seconds')
    expect((await found('webhooks_due')).code).toBe('webhooks_due.ok')
    await wait('2 minutes')
    expect((await found('webhooks_due')).code).toBe('webhooks_due.late')
    await wait('11 minutes')
    expect((await found('webhooks_due')).code).toBe('webhooks_due.very_late')
    await sql`update webhook_health set first_failure_at = now() - interval '2 hours' where webhook_id = ${id}`.execute(
      t.deps.db,
    )
    expect(await found('webhooks_failing')).toMatchObject({
      code: 'webhooks_failing.some',
      values: { count: 1, host: 'shop.example.com' },
    })
  })
})

describe('mail', () => {
  test('e-mails that wait or failed are reported with the last error', async () => {
    const add = (state: string, age: string, error: string) =>
      sql`insert into mail (to_address, key, locale, subject, body_text, body_html, state, error, created_at)
        values ('ada@example.com', 'signup-otp', 'en', 'Code', 'Code', 'Code', ${state}, ${error}, now() - ${age}::interval)`.execute(
        t.deps.db,
      )
    expect((await found('outbox')).code).toBe('outbox.ok')
    await add('failed', '2 hours', 'Mailbox full')
    expect(await found('outbox')).toMatchObject({ code: 'outbox.failed', values: { count: 1, reason: 'Mailbox full' } })
    await add('queued', '20 minutes', 'Greylisted')
    expect(await found('outbox')).toMatchObject({
      code: 'outbox.waiting',
      message: expect.stringMatching(
        /^The oldest e-mail that is not sent has waited for 2\d min\. Last error: Greylisted$/,
      ),
    })
  })
})

describe('providers', () => {
  const set = async (key: string, value: unknown) =>
    expectStatus(await admin.put(`/api/v1/options/${key}`, { value }), 200)

  test('a payment provider without its keys is an error if it is chosen, and else a warning when half set up', async () => {
    await set('billing.enabled', true)
    expect((await found('payment_providers')).code).toBe('payment_providers.ok')
    await set('stripe.secret_key', 'sk_test_1')
    expect(await found('payment_providers')).toMatchObject({
      code: 'payment_providers.partial',
      values: { provider: 'stripe', missing: 'stripe.webhook_secret' },
    })
    await set('billing.provider', 'stripe')
    expect(await found('payment_providers')).toMatchObject({ code: 'payment_providers.missing', level: 'error' })
    await set('stripe.webhook_secret', 'whsec_1')
    expect((await found('payment_providers')).code).toBe('payment_providers.ok')
  })

  test('an app that its network refuses, and a version of an API that ends', async () => {
    const { own, find } = await another({ NETWORK_VERSIONS: 'linkedin=202608' })
    expect(await find('network_apps')).toBe('network_apps.none')
    const root = await signedIn(own, { instanceAdmin: true })
    const app = { client_id: 'one', client_secret: 'a-secret-of-the-app' }
    expectStatus(await root.put('/api/v1/admin/network-apps/linkedin', app), 200)
    expect(await find('network_apps')).toBe('network_apps.ok')
    const versionAt = async (time: string) => {
      own.clock.advance(Date.parse(time) - own.clock.now().getTime())
      return find('network_versions')
    }
    expect(await versionAt('2027-04-16T00:00:00Z')).toBe('network_versions.ok')
    expect(await versionAt('2027-04-18T00:00:00Z')).toBe('network_versions.ending')
    expect(await versionAt('2027-08-15T00:00:00Z')).toBe('network_versions.ended')
    await own.deps.db.updateTable('network_app').set({ refused_at: origin, refused_reason: 'Wrong secret' }).execute()
    expect(await find('network_apps')).toBe('network_apps.refused')
  })

  test('a disconnected account is reported while scheduled posts wait for it', async () => {
    const { own, find } = await another()
    const owner = await withWorkspace(own)
    const account = await playgroundAccount(owner)
    const scheduled_at = new Date(own.clock.now().getTime() + HOUR).toISOString()
    const { id } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Tea', account_ids: [account], scheduled_at }),
      201,
    ).body
    expect(await find('accounts')).toBe('accounts.ok')
    await own.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', account).execute()
    expect(await find('accounts')).toBe('accounts.waiting')
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    expect(await find('accounts')).toBe('accounts.ok')
  })

  test('an AI model is reported when its last three calls failed', async () => {
    const { own, find } = await another()
    expect(await find('ai_models')).toBe('ai_models.none')
    const owner = await withWorkspace(own)
    const root = await signedIn(own, { instanceAdmin: true })
    const model = { provider: 'openai', model_key: 'one', name: 'One', category: 'text' }
    const { id } = expectStatus(await root.post('/api/v1/ai-models', model), 201).body
    const add = (state: string, error_code: string | null) =>
      sql`insert into ai_generation (workspace_id, model_id, kind, credits, counted_in, leased_until, state, error_code, ended_at)
        values (${owner.workspace_id}, ${id}, 'text', 1, current_date, now(), ${state}, ${error_code}, now())`.execute(
        own.deps.db,
      )
    await add('failed', 'ai_unavailable')
    await add('failed', 'ai_unavailable')
    expect(await find('ai_models')).toBe('ai_models.ok')
    await add('failed', 'ai_rate_limited')
    expect(await find('ai_models')).toBe('ai_models.failing')
    await add('succeeded', null)
    expect(await find('ai_models')).toBe('ai_models.ok')
  })
})

describe('security', () => {
  test('admins without a second factor are counted', async () => {
    expect(await found('admins')).toMatchObject({ code: 'admins.one_factor', values: { count: 1, all: 1 } })
    await t.deps.db.updateTable('user').set({ two_factor_enabled: true }).where('id', '=', admin.id).execute()
    expect((await found('admins')).code).toBe('admins.ok')
    const { find } = await another()
    expect(await find('admins')).toBe('admins.none')
  })

  test('a secret key that is only a file is a warning', async () => {
    const { find } = await another({ SECRET_KEY: '' })
    expect(await find('secret_key')).toBe('secret_key.only_file')
  })

  test('open sign-up and plain http are warnings on a public address only', async () => {
    const codesAt = async (baseUrl: string) => {
      const chosen = checks.filter(({ name }) => ['sign_up', 'certificate'].includes(name))
      return (await runChecks({ ...contextOf(t.deps), baseUrl }, chosen)).map(({ code }) => code)
    }
    for (const host of ['meydan.test', 'localhost:3000', '192.168.1.5', 'nas.local', '[fd00::1]', 'nas'])
      expect(await codesAt(`http://${host}`), host).toEqual(['certificate.local', 'sign_up.local'])
    for (const host of ['meydan.example.com', '93.184.216.34'])
      expect(await codesAt(`http://${host}`), host).toEqual(['certificate.plain', 'sign_up.open'])
  })

  test('the certificate of BASE_URL is read', async () => {
    const codeWith = async (cert: string) => {
      const server = createServer({ key: certificates.key, cert }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const address = server.address()
      const baseUrl = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
      const [result] = await runChecks(
        { ...contextOf(t.deps), baseUrl },
        checks.filter(({ name }) => name === 'certificate'),
      )
      return result?.code
    }
    expect(await codeWith(certificates.expired)).toBe('certificate.ended')
    // No browser knows the authority of the tests.
    expect(await codeWith(certificates.valid)).toBe('certificate.untrusted')
  })
})
