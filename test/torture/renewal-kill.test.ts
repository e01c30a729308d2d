import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { findDueGrants } from '../../server/modules/accounts/grants/grants.jobs.ts'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, withWorkspace } from '../factories.ts'
import { connectByOAuth } from '../network-accounts.ts'
import { connectByOAuthTo } from '../network-faults.ts'
import { kill } from '../processes.ts'
import { randomNumbers } from '../random.ts'
import { scaled } from '../run/machine.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import { SEED, timesOf } from './settings.ts'
import { startTortureWorker } from './start-worker.ts'

// More of it: npm run torture -- renewal-kill
const KILLS = timesOf('RENEWAL_KILLS', 1)
/** Sign-ins that are due in a round. */
const SIGN_INS = 4
/** Longer than the lease of a renewal, and than the wait after one that failed. */
const LEASE_MS = 6 * 60_000

/** Makes the sign-ins that were not renewed yet due, and enqueues their renewal. */
async function enqueueRenewals(t: TestApp) {
  await sql`update oauth_grant set renew_at = 'epoch' where renewals = 0 and ended_at is null`.execute(t.deps.db)
  await findDueGrants(t.deps)
}

/** Frees the jobs of the killed worker, lets its leases end, and renews what is left. */
async function finish(t: TestApp) {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`.execute(t.deps.db)
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(t.deps.db)
  for (let pass = 0; pass < 3; pass++) {
    t.advance(LEASE_MS)
    await findDueGrants(t.deps)
    await t.runJobs()
  }
}

const storedRenewals = async (t: TestApp) =>
  (await sql<{ count: number }>`select coalesce(sum(renewals), 0)::int as count from oauth_grant`.execute(t.deps.db))
    .rows[0]?.count ?? 0

for (const refresh of ['reusable', 'single_use'] as const)
  test(
    `${KILLS} kills between a renewal and its write end no sign-in but those that the network ends: refresh tokens are ${refresh} (seed ${SEED})`,
    async () => {
      const random = randomNumbers(SEED)
      const t = await testApp({}, { origin: new Date() })
      const server = await linkedinServer({
        pages: { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] },
        refresh,
      })
      let worker: ChildProcess | undefined
      onTestFinished(async () => {
        await kill(worker)
        server.close()
        await t.close()
      })
      const first = await connectByOAuthTo(t, server, 'linkedin_page', { origin: 'linkedin' })
      const accounts = [{ owner: first.owner, id: first.account }]
      /** Renewals whose response no worker could store. */
      let lost = 0
      for (let round = 0; round < KILLS; round++) {
        while (accounts.length < SIGN_INS * (round + 1)) {
          const owner = await withWorkspace(t)
          const { account_ids } = await connectByOAuth(owner, 'linkedin_page')
          accounts.push({ owner, id: String(account_ids[0]) })
        }
        const [stored, seen] = [await storedRenewals(t), server.oauth.renewals()]
        worker = await startTortureWorker(t, { NETWORK_ORIGINS: `linkedin=${server.url}` })
        await enqueueRenewals(t)
        const renewals = 1 + Math.floor(random() * SIGN_INS)
        while (server.oauth.renewals() < seen + renewals) await nextTurn()
        await kill(worker)
        lost += server.oauth.renewals() - seen - ((await storedRenewals(t)) - stored)
        await finish(t)
      }

      const ended = []
      for (const { owner, id } of accounts) {
        // Uses the stored token.
        const { body } = expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 200)
        if (body.status !== 'connected') ended.push(id)
      }
      process.stdout.write(`${lost} of ${accounts.length} renewals were not stored\n`)
      expect(ended).toHaveLength(refresh === 'single_use' ? lost : 0)
      const { rows } = await sql<{ events: number }>`
      select count(*)::int as events from event where type = 'account.disconnected' group by workspace_id`.execute(
        t.deps.db,
      )
      expect(rows.map(({ events }) => events)).toEqual(ended.map(() => 1))
    },
    scaled(60_000 + 30_000 * KILLS),
  )
