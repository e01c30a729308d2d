import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, expect, inject, test } from 'vitest'
import {
  type Billing,
  billingApp,
  payOnPage,
  pro,
  providerSettings,
  settle,
  subscriptionOf,
  team,
  tokenOf,
} from '../../server/modules/billing/billing.fixture.ts'
import { buyer, buyerOfIyzico, sell } from '../../server/modules/billing/providers/iyzico/iyzico.fixture.ts'
import { client } from '../client.ts'
import { expectStatus, openSession, type WorkspaceOwner } from '../factories.ts'
import { lasting } from '../people.ts'
import { postgresProxy } from '../postgres-proxy.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { until } from '../until.ts'
import { expectBooks, freeJobs } from './books.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureNode } from './start-worker.ts'

// More of it: npm run torture -- subscription-kill
const TRIES = timesOf('SUBSCRIPTION_KILLS', 2)
/** Workspaces of each kind in the middle of something at each kill. */
const EACH = Math.min(TRIES, 4)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Calls that open a page to pay on, those of jobs that change something, and those that read. */
const calls = {
  iyzico: {
    open: { method: 'POST', path: /\/initialize/ },
    change: [
      { method: 'POST', path: '/v2/payment/refund' },
      { method: 'POST', path: /\/cancel$/ },
      { method: 'POST', path: /\/upgrade$/ },
    ],
    read: { method: 'GET', path: '/v2/subscription/' },
  },
  paytr: {
    open: { method: 'POST', path: '/odeme/api/get-token' },
    change: [{ method: 'POST', path: '/odeme/iade' }],
    read: { method: 'POST', path: '/odeme/durum-sorgu' },
  },
} as const

/** All of them in a long run, otherwise one. */
const providers = (['iyzico', 'paytr'] as const).filter((_, n) => TRIES > EACH || n === SEED % 2)

let node: ChildProcess | undefined
let billing: Billing | undefined
afterEach(async () => {
  await kill(node)
  await billing?.close()
})

const checkoutPath = '/api/v1/billing/checkout'

test.each(providers)(
  `at %s, ${TRIES} subscriptions whose process is killed are each started, changed, renewed and refused once (seed ${SEED})`,
  async (provider) => {
    const random = randomNumbers(SEED)
    const started = await billingApp(provider, {}, { origin: new Date() })
    billing = started
    const { t, world, admin } = started
    const standIn = world[provider]
    await lasting(t, admin)
    expectStatus(await admin.patch('/api/v1/admin/plans/pro', { trial_days: null }), 200)
    for (const plan of ['pro', 'team']) await sell(started, plan)
    let commits = 0
    let onCommit = () => {}
    const proxy = await postgresProxy(inject('postgres'), {
      onResponse: (bytes) => {
        if (!bytes.includes('COMMIT\0')) return
        commits++
        onCommit()
      },
    })
    const settings = { ...providerSettings(world), BILLING_PROVIDER: provider, DATA_DIR: t.deps.config.DATA_DIR }

    const pay = ({ url }: { url: string }) => payOnPage(world, provider, url)
    /** Pays on a page that Meydan has closed, of which only the return of the browser tells it at iyzico. */
    async function payClosed({ url }: { url: string }) {
      const paid = payOnPage(world, provider, url)
      if (!('callbackUrl' in paid)) return
      const sent = { method: 'POST', body: new URLSearchParams(paid.form), redirect: 'manual' } as const
      await fetch(`${t.url}${new URL(paid.callbackUrl).pathname}`, sent)
    }
    const open = async (owner: WorkspaceOwner, terms: object) =>
      expectStatus(await owner.post(checkoutPath, { ...terms, buyer }), 201).body
    const owners = () => Promise.all(Array.from({ length: EACH }, () => buyerOfIyzico(started)))
    const group = async <T>(prepare: (owner: WorkspaceOwner) => Promise<T>) =>
      Promise.all((await owners()).map(async (owner) => ({ owner, prepared: await prepare(owner) })))
    const bought = async (owner: WorkspaceOwner, terms: object) => pay(await open(owner, terms))

    /** Waits until the jobs of the node are done, or wait for a response that does not come. */
    const untilStuck = (before: number) =>
      until(async () => {
        const { rows } = await sql<{ held: number; due: number }>`
          select count(*) filter (where locked_at is not null)::int as held,
            count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)::int as due
          from graphile_worker._private_jobs`.execute(t.deps.db)
        const sent = world.webhooks.list({ state: 'waiting' }).length === 0
        expect([rows[0], sent]).toEqual([{ held: standIn.hanging() - before, due: 0 }, true])
      })

    /** Kills the node in the middle of a round, and lets another take up what it left. */
    async function round() {
      t.advance(Math.max(0, Date.now() - t.clock.now().getTime()))
      const renewed = await group((owner) => bought(owner, team))
      await settle(started)
      const former = await Promise.all(renewed.map(({ owner }) => subscriptionOf(owner)))
      // Some days before the end: Meydan asks for the next payment where the provider does not charge by itself.
      t.advance(25 * DAY)
      await settle(started)
      world.webhooks.hold()
      if (provider === 'iyzico') t.advance(7 * DAY)
      world.tick()
      const toStart = await group(async () => randomUUID())
      const toSettle = await group((owner) => open(owner, team))
      const toRefuse = await group(async (owner) => {
        const first = await open(owner, { ...team, period: 'yearly' })
        return [first, await open(owner, team)] as const
      })
      const toChange = await group((owner) => bought(owner, pro))
      for (const { prepared } of toRefuse) await payClosed(prepared[0])
      await world.webhooks.release()
      world.webhooks.hold()
      await settle(started)
      const changes = await Promise.all(
        toChange.map(async ({ owner }) => {
          const { body } = await owner.post('/api/v1/billing/change-plan', { plan_code: 'team', buyer })
          return body.checkout as { url: string }
        }),
      )

      const victim = await startTortureNode(t, settings, proxy.connection)
      node = victim.process
      const before = standIn.hanging()
      // Commits of some rounds are hit instead of calls.
      const hangs = random() < 0.75
      const fail = (where: { method: string; path: string | RegExp }) => {
        if (hangs) for (let n = 0; n < EACH; n++) standIn.failNext({ kind: 'hang', works: random() < 0.5 }, where)
      }
      const names = calls[provider]
      for (const each of names.change) fail(each)
      fail(names.read)
      for (const { prepared } of toSettle) pay(prepared)
      for (const { prepared } of toRefuse) await payClosed(prepared[1])
      for (const checkout of changes) pay(checkout)
      await world.webhooks.release()
      const killed = new Promise<void>((resolve) => {
        const last = commits + 1 + Math.floor(random() * 10 * EACH)
        onCommit = () => {
          if (commits >= last) resolve()
        }
      })
      await (hangs ? untilStuck(before) : killed)
      const renewals = provider === 'iyzico' ? [] : renewed.map(({ owner }) => owner)
      fail(names.open)
      if (renewals.length > 0) fail(names.open)
      const stuck = standIn.hanging()
      const at = async ({ id }: WorkspaceOwner) => client(victim.url, await openSession(t, id))
      const lost = [
        ...toStart.map(async ({ owner, prepared: key }) => start(await at(owner), owner, key)),
        ...renewals.map(async (owner) => openRenewal(owner, await at(owner))),
      ].map((call) => call.catch(() => undefined))
      if (hangs) await until(() => expect(standIn.hanging() - stuck).toBe(lost.length))
      await kill(node)
      await Promise.all(lost)
      standIn.mend()

      await freeJobs(t)
      // Longer than a killed call holds its key, and than a provider is waited for.
      t.advance(2 * MINUTE)
      for (const { owner, prepared: key } of toStart) {
        const { status, body } = await start(owner, owner, key)
        expect([200, 201]).toContain(status)
        pay(body)
      }
      for (const owner of renewals) pay((await openRenewal(owner, owner)).body)
      await settle(started)
      for (const hours of [1, 7]) {
        t.advance(hours * HOUR)
        await settle(started)
      }

      const planOf = async ({ owner }: { owner: WorkspaceOwner }) => {
        const { status, plan_code, current_period_start } = await subscriptionOf(owner)
        return { status, plan_code, current_period_start }
      }
      const inForce = { status: 'active', plan_code: 'team', current_period_start: expect.any(String) }
      for (const kind of [toStart, toSettle, toChange])
        expect(await Promise.all(kind.map(planOf))).toEqual(kind.map(() => inForce))
      const yearly = await Promise.all(toRefuse.map(({ owner }) => subscriptionOf(owner)))
      expect(yearly.map((each) => each.billing_period)).toEqual(toRefuse.map(() => 'yearly'))
      expect(await Promise.all(renewed.map(planOf))).toEqual(
        former.map(({ current_period_end }) => ({ ...inForce, current_period_start: current_period_end })),
      )
    }
    const start = (who: ReturnType<typeof client>, { workspace_id }: WorkspaceOwner, key: string) =>
      who.post(checkoutPath, { ...team, buyer }, { 'idempotency-key': key, 'x-workspace-id': workspace_id })
    const openRenewal = async (owner: WorkspaceOwner, who: ReturnType<typeof client>) => {
      const { pay_url } = await subscriptionOf(owner)
      return expectStatus(await who.post(`/api/v1/billing/checkouts/${tokenOf(pay_url)}/open`), 200)
    }

    for (let n = 0; n < Math.ceil(TRIES / EACH); n++) await round()
    proxy.close()
    await expectBooks(started, provider)
    if (provider !== 'iyzico') return
    const live = await t.deps.db
      .selectFrom('subscription')
      .select('provider_subscription_id as id')
      .where('status', '=', 'active')
      .execute()
    const running = world.iyzico.subscriptions().filter(({ status }) => status === 'ACTIVE')
    expect(running.map(({ ref }) => ref).sort()).toEqual(live.map(({ id }) => id).sort())
  },
  scaled(60_000 + 30_000 * TRIES),
)
