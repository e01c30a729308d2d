import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import type { ApiResponse, Client } from '../../../../test/client.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { randomNumbers } from '../../../../test/random.ts'
import { scaled } from '../../../../test/run/machine.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { Problem } from '../../../errors.ts'
import { prepareGeneration } from '../../ai/generate.ts'
import { sweepGenerations } from '../../ai/generations.ts'
import { TEXT_MS } from '../../ai/texts.ts'
import { chargeTo } from '../record/budget.ts'
import { claimNextStep } from './run-queue.ts'
import { agentOf, draftText, postsOf } from './runs.fixture.ts'
import { startDueRuns } from './start-due-runs.ts'
import { beginStep } from './steps/begin-step.ts'

// More of it: npm run torture -- agent-limits
const RUNS = timesOf('AGENT_LIMIT_RUNS', 4)
/** Longer than the leases of runs and generations. */
const LEASES_MS = 5 * MINUTE
vi.setConfig({ testTimeout: scaled(30_000 + 6000 * RUNS) })

const { t, openai, close } = await generationApp()
afterAll(close)

const fields = {
  daily_limit: fc.integer({ min: 1, max: 4 }),
  // Without a budget, the limit of the day is what is reached.
  monthly_credits: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 1 }),
  posts_per_run: fc.integer({ min: 1, max: 4 }),
}
const edit = fc.record(fields, { requiredKeys: [] })
const call = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'run' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'jobs' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'preview' as const }) },
  fc.record({ kind: fc.constant('edit' as const), fields: edit }),
  fc.record({ kind: fc.constant('decide' as const), act: fc.constantFrom('approve', 'reject'), which: fc.nat(20) }),
)
const action = fc.oneof(
  { weight: 6, arbitrary: call.map((only) => ({ kind: 'calls' as const, calls: [only] })) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      calls: fc.array(call, { minLength: 2, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.constantFrom(1, 1, 2, 31) }) },
  fc.record({ kind: fc.constant('kill' as const), at: fc.constantFrom('claim', 'reservation') }),
  fc.constant({ kind: 'recover' as const }),
)
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never
type Limits = { daily_limit: number; monthly_credits: number | null; posts_per_run: number }

async function runCall(owner: Client, agent: string, given: Call): Promise<ApiResponse | undefined> {
  const path = `/api/v1/agents/${agent}`
  if (given.kind === 'run') return owner.post(`${path}/run`)
  if (given.kind === 'preview') return owner.post(`${path}/preview`)
  if (given.kind === 'edit') return Object.keys(given.fields).length === 0 ? undefined : owner.patch(path, given.fields)
  if (given.kind === 'jobs') return void (await t.runJobs())
  const posts = await postsOf(t, agent)
  const post = posts[given.which % Math.max(posts.length, 1)]
  const body = given.act === 'reject' ? { reason: `Not like ${given.which}` } : {}
  return post && owner.post(`/api/v1/posts/${post.id}/${given.act}`, body)
}

/** Leaves a step as a worker does that is killed: after its claim, or after it has reserved a credit. */
async function killStep(agent: string, at: string) {
  const run_id = await claimNextStep(t.deps, '1')
  const step = run_id === undefined ? undefined : await beginStep(t.deps, run_id)
  if (!step || at === 'claim') return
  const charge = chargeTo(agent, t.clock.now())
  const spec = { kind: 'text' as const, prompt: 'x', credits: 1, ms: TEXT_MS, charge }
  // The budget may be used up, and the workspace generate as much as it may.
  await prepareGeneration(t.deps, step.member, undefined, spec).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
  })
}

async function recover() {
  for (let pass = 0; pass < 2; pass++) {
    t.advance(LEASES_MS)
    await sweepGenerations(t.deps)
    await startDueRuns(t.deps)
    await t.runJobs()
  }
}

/** The use of each day and month, with the runs and generations that it comes from. */
async function readTaken(agent: string) {
  const { rows: days } = await sql<{ day: string; used: number; taken: number; posts: number }>`
    select d.day::text, d.used::int, (select coalesce(sum(case when r.ended_at is null then r.granted else r.made end), 0)::int
        from agent_run r where r.agent_id = d.agent_id and r.day = d.day) as taken,
      (select count(*)::int from post p join agent_run r on r.id = p.agent_run_id
        where r.agent_id = d.agent_id and r.day = d.day) as posts
    from agent_day d where d.agent_id = ${agent} order by d.day`.execute(t.deps.db)
  const { rows: months } = await sql<{ month: string; spent: number }>`
    select agent_month::text as month, sum(credits)::int as spent from ai_generation
    where agent_id = ${agent} group by agent_month order by agent_month`.execute(t.deps.db)
  const { rows: unapproved } = await sql`
    select p.id from post p join agent_run r on r.id = p.agent_run_id
    where r.agent_id = ${agent} and p.status <> 'draft' and p.review <> 'approved'`.execute(t.deps.db)
  return { days, months, unapproved }
}

type Taken = Awaited<ReturnType<typeof readTaken>>

/** Nothing may have grown beyond the limits that were in force during an action. */
function expectWithin(before: Taken, after: Taken, limits: readonly Limits[]) {
  const daily = Math.max(...limits.map(({ daily_limit }) => daily_limit))
  const monthly = Math.max(...limits.map(({ monthly_credits }) => monthly_credits ?? Number.POSITIVE_INFINITY))
  for (const { day, used, taken, posts } of after.days) {
    expect(used, `posts of ${day}`).toBe(taken)
    expect(used).toBeGreaterThanOrEqual(posts)
    expect(used).toBeLessThanOrEqual(Math.max(before.days.find((each) => each.day === day)?.used ?? 0, daily))
  }
  for (const { month, spent } of after.months)
    expect(spent).toBeLessThanOrEqual(Math.max(before.months.find((each) => each.month === month)?.spent ?? 0, monthly))
  expect(after.unapproved).toEqual([])
}

test(`no order of runs, edits, decisions, days and kills takes an agent beyond its limits (seed ${SEED})`, async () => {
  const random = randomNumbers(SEED)
  let texts = 0
  const word = () => Array.from({ length: 9 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)]).join('')
  // A quarter of the texts is refused, and written again.
  openai.script.reply = () =>
    draftText({ topic: `Post ${texts++}`, content: random() < 0.25 ? 'evil.com' : `${word()} ${word()} ${word()}` })

  const runActions = async (first: Limits, actions: readonly Action[]) => {
    const person = await withWorkspace(t)
    // A session would end with the month.
    const made = expectStatus(await person.post('/api/v1/api-tokens', { name: 'Limits', scopes: [] }), 201)
    const owner = t.anyone.with({ authorization: `Bearer ${made.body.token}` })
    await t.deps.db.updateTable('agent').set({ is_active: false }).execute()
    let limits = first
    const agent = await agentOf(t, person, { autonomy_level: 'approve', ...limits })
    let before = await readTaken(agent)
    for (const given of actions) {
      let inForce = [limits]
      if (given.kind === 'calls') {
        const responses = await Promise.all(given.calls.map((each) => runCall(owner, agent, each)))
        for (const response of responses) expect(response?.status ?? 200).toBeLessThan(500)
        const { body } = expectStatus(await owner.get(`/api/v1/agents/${agent}`), 200)
        limits = body
        const edits = given.calls.flatMap((each) => (each.kind === 'edit' ? [{ ...limits, ...each.fields }] : []))
        inForce = [...inForce, ...edits, limits]
      } else if (given.kind === 'pass') {
        t.advance(given.days * DAY)
        await startDueRuns(t.deps)
      } else if (given.kind === 'kill') await killStep(agent, given.at)
      else await recover()
      const after = await readTaken(agent)
      expectWithin(before, after, inForce)
      before = after
    }
    await recover()
    const after = await readTaken(agent)
    expectWithin(before, after, [limits])
    const { body } = expectStatus(await owner.get(`/api/v1/agents/${agent}`), 200)
    // The month of the workspace, whose zone is Europe/Istanbul: three hours before UTC's.
    const month = new Date(t.clock.now().getTime() + 3 * HOUR).toISOString().slice(0, 7)
    const spent = after.months.find((each) => each.month.startsWith(month))?.spent ?? 0
    expect(body.spent_credits).toBe(spent)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ai_generation
      where agent_id = ${agent} and state = 'running'`.execute(t.deps.db)
    expect(rows[0]?.count).toBe(0)
  }
  const sequences = fc.array(action, { minLength: 8, maxLength: 16 })
  await fc.assert(fc.asyncProperty(fc.record(fields), sequences, runActions), {
    numRuns: RUNS,
    seed: SEED,
    endOnFailure: true,
  })
})
