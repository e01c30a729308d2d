import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  changeRole,
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../../test/generations.ts'
import { until } from '../../../../test/until.ts'
import { sweepGenerations } from '../../ai/generations.ts'
import { expireReviews } from './finishing/note-review.ts'
import {
  agentOf,
  draftText,
  lastRun,
  newTopics,
  onlyOwner,
  postsOf,
  reachTimeOf,
  runAtNextTime,
} from './runs.fixture.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const { usedCredits, startText } = generationCalls(() => ({ t, owner }))

const reachNextTime = (agent_id: string, late_ms?: number) => reachTimeOf(t, agent_id, late_ms)
const runOnce = (agent_id: string) => runAtNextTime(t, agent_id)

const usedToday = async (agent_id: string) =>
  (await t.deps.db.selectFrom('agent_day').select('used').where('agent_id', '=', agent_id).execute()).at(-1)?.used

const readRun = async (agent_id: string, id: string) =>
  expectStatus(await owner.get(`/api/v1/agents/${agent_id}/runs/${id}`), 200).body

const items = (run_id: string) =>
  t.deps.db.selectFrom('agent_item').selectAll().where('run_id', '=', run_id).orderBy('position').execute()

describe('a run', () => {
  test('writes its posts as drafts of the member it acts for, each with one credit', async () => {
    const agent = await agentOf(t, owner)
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'completed', reason: null, made: 2, credits: 2, missed: 0 })
    expect(run.slot).toMatch(/T09:00$/)
    const posts = await postsOf(t, agent)
    expect(posts).toMatchObject([
      { status: 'draft', scheduled_at: null, author_id: owner.id },
      { status: 'draft', scheduled_at: null },
    ])
    expect([await usedCredits(), await usedToday(agent)]).toEqual([2, 2])
    const { body } = expectStatus(await owner.get(`/api/v1/posts/${posts[0]?.id}`), 200)
    expect(body.targets).toHaveLength(1)
    const versions = expectStatus(await owner.get(`/api/v1/posts/${posts[0]?.id}/versions`), 200).body.data
    expect(versions).toMatchObject([{ number: 1, source: 'agent', by: { id: owner.id }, token_id: null }])
  })

  test('with auto schedules its posts 15 minutes later and 90 minutes apart, outside of the quiet hours', async () => {
    const quiet = { autonomy_level: 'auto' as const, posts_per_run: 3, quiet_from: '10:00', quiet_until: '12:30' }
    const agent = await agentOf(t, owner, quiet)
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'completed', made: 3 })
    const times = (await postsOf(t, agent)).map(({ status, scheduled_at }) => [
      status,
      scheduled_at?.toISOString().slice(11, 16),
    ])
    // Istanbul is three hours ahead.
    expect(times).toEqual([
      ['scheduled', '06:15'],
      ['scheduled', '09:30'],
      ['scheduled', '11:00'],
    ])
  })

  test('with approve leaves its posts to people', async () => {
    const agent = await agentOf(t, owner, { autonomy_level: 'approve' })
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'awaiting_review', made: 2 })
    expect(await postsOf(t, agent)).toMatchObject([{ status: 'draft' }, { status: 'draft' }])
    expect(await items(run.id)).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  })

  test('is completed with the last decision on its posts, and later runs heed the reason of a rejection', async () => {
    const agent = await agentOf(t, owner, { autonomy_level: 'approve' })
    const { id } = await runOnce(agent)
    const [first, second] = await postsOf(t, agent)
    expectStatus(await owner.post(`/api/v1/posts/${first?.id}/approve`, {}), 200)
    expect(await readRun(agent, id)).toMatchObject({ status: 'awaiting_review' })
    expectStatus(await owner.post(`/api/v1/posts/${second?.id}/reject`, { reason: 'Too loud for us' }), 200)
    expect(await readRun(agent, id)).toMatchObject({ status: 'completed' })
    expect(await items(id)).toMatchObject([{ status: 'approved' }, { status: 'rejected', reason: 'Too loud for us' }])
    const before = openai.calls.length
    await runOnce(agent)
    expect(JSON.stringify(openai.calls[before]?.body)).toContain('Too loud for us')
  })

  test('is completed when its last post is deleted, and the post can be restored and approved', async () => {
    const agent = await agentOf(t, owner, { autonomy_level: 'approve' })
    const { id } = await runOnce(agent)
    const [first, second] = await postsOf(t, agent)
    expectStatus(await owner.post(`/api/v1/posts/${first?.id}/approve`, {}), 200)
    expectStatus(await owner.delete(`/api/v1/posts/${second?.id}`), 204)
    expect(await readRun(agent, id)).toMatchObject({ status: 'completed' })
    expect(await items(id)).toMatchObject([{ status: 'approved' }, { status: 'expired', reason: 'post_deleted' }])
    expectStatus(await owner.post(`/api/v1/posts/${second?.id}/restore`), 200)
    expectStatus(await owner.post(`/api/v1/posts/${second?.id}/approve`, { scheduled_at: null }), 200)
    expect(await items(id)).toMatchObject([{ status: 'approved' }, { status: 'approved', reason: null }])
  })

  test('is completed after seven days without a decision, and its posts stay in review', async () => {
    const agent = await agentOf(t, owner, { autonomy_level: 'approve', is_active: false, next_run_at: null })
    const { body } = expectStatus(await owner.post(`/api/v1/agents/${agent}/run`), 201)
    await t.runJobs()
    await expireReviews(t.deps)
    expect(await readRun(agent, body.id)).toMatchObject({ status: 'awaiting_review' })
    const later = new Date(t.clock.now().getTime() + 7 * 24 * 3600_000 + 1)
    const inAWeek = { db: t.deps.db, clock: { now: () => later } }
    await Promise.all([expireReviews(inAWeek), expireReviews(inAWeek)])
    expect(await readRun(agent, body.id)).toMatchObject({ status: 'completed' })
    expect(await items(body.id)).toMatchObject([{ status: 'expired', reason: 'not_decided' }, { status: 'expired' }])
    const [post] = await postsOf(t, agent)
    expect((await owner.get(`/api/v1/posts/${post?.id}`)).body.review).toBe('pending')
  })

  test('in progress is canceled when its agent is disabled, and gives back its part of the day', async () => {
    const agent = await agentOf(t, owner)
    const { body } = expectStatus(await owner.post(`/api/v1/agents/${agent}/run`), 201)
    expectStatus(await owner.post(`/api/v1/agents/${agent}/disable`), 200)
    await t.runJobs()
    expect(await readRun(agent, body.id)).toMatchObject({ status: 'canceled', made: 0 })
    expect(await postsOf(t, agent)).toEqual([])
  })

  test('with auto leaves a doubtful post to people, and publishes the others', async () => {
    const replies = [draftText({ claims: ['Oldest bakery'] }), draftText({ topic: 'Tea', content: 'A glass of tea.' })]
    openai.script.reply = () => replies.shift() ?? ''
    const agent = await agentOf(t, owner, { autonomy_level: 'auto' })
    expect(await runOnce(agent)).toMatchObject({ status: 'awaiting_review', made: 2 })
    expect(await postsOf(t, agent)).toMatchObject([{ status: 'draft' }, { status: 'scheduled' }])
  })

  test('asks for structured output without tools, with the setup, the networks, and what was posted lately', async () => {
    await withWorkspace(t).then((other) => other.post('/api/v1/posts', { content: 'Secret of others' }))
    const agent = await agentOf(t, owner, { posts_per_run: 1 })
    await runOnce(agent)
    await runOnce(agent)
    const [, second] = openai.calls
    expect(second?.body.response_format).toMatchObject({ type: 'json_schema', json_schema: { strict: true } })
    expect(second?.body).not.toHaveProperty('tools')
    const sent = JSON.stringify(second?.body)
    for (const part of ['Write about bread.', 'Post 1', 'playground', 'brand.com']) expect(sent).toContain(part)
    for (const part of ['Secret of others', owner.email]) expect(sent).not.toContain(part)
  })

  test('sends a text that breaks a rule back with the reason, and takes the better one', async () => {
    const replies = [draftText({ content: 'Visit evil.com' }), draftText()]
    openai.script.reply = () => replies.shift() ?? draftText()
    const agent = await agentOf(t, owner, { posts_per_run: 1 })
    expect(await runOnce(agent)).toMatchObject({ status: 'completed', made: 1, credits: 2 })
    expect(JSON.stringify(openai.calls[1]?.body)).toContain('Links to evil.com are not allowed.')
    expect(await postsOf(t, agent)).toMatchObject([{ content: 'Fresh bread every morning.' }])
  })

  test.each([
    ['a foreign link', draftText({ content: 'Visit evil.com' }), 'link_not_allowed', 3],
    ['garbage', 'I cannot do that', 'unreadable', 3],
    ['a key', draftText({ content: 'Use meydan_pat_1234567890' }), 'secret', 1],
    ['a text that is too long', draftText({ content: 'a b '.repeat(2000) }), 'too_long', 3],
  ])('that gets only %s writes nothing, fails, and keeps its reason', async (_, reply, reason, credits) => {
    openai.script.reply = () => reply
    const agent = await agentOf(t, owner, { posts_per_run: 1 })
    const run = await runOnce(agent)
    expect(run).toMatchObject({ status: 'failed', reason: 'checks_failed', made: 0, credits })
    expect(await items(run.id)).toMatchObject([{ status: 'blocked', reason }])
    expect(await postsOf(t, agent)).toEqual([])
    expect([await usedCredits(), await usedToday(agent)]).toEqual([credits, 0])
  })

  test('that has nothing new to say is skipped and gives back its day', async () => {
    openai.script.reply = () => draftText({ content: '', skip_reason: 'Nothing happened' })
    const agent = await agentOf(t, owner)
    expect(await runOnce(agent)).toMatchObject({ status: 'skipped', reason: 'nothing_new', made: 0 })
    expect(await usedToday(agent)).toBe(0)
  })

  test('never writes again what the workspace posted', async () => {
    openai.script.reply = () => draftText()
    const agent = await agentOf(t, owner)
    expect(await runOnce(agent)).toMatchObject({ status: 'completed', made: 1 })
    expect(await postsOf(t, agent)).toHaveLength(1)
  })
})

describe('a provider that cannot respond', () => {
  test('is waited for, three times, and costs no credit', async () => {
    openai.failAlways({ kind: 'status', status: 503 })
    const agent = await agentOf(t, owner)
    await runOnce(agent)
    for (const waits of [1, 2, 3]) {
      expect(await lastRun(t, agent)).toMatchObject({ status: 'running', attempts: waits })
      t.advance(61_000)
      await t.runJobs()
    }
    expect(await lastRun(t, agent)).toMatchObject({ status: 'failed', reason: 'ai_unavailable', credits: 0 })
    expect([await usedCredits(), await usedToday(agent)]).toEqual([0, 0])
  })

  test('for one text is waited for anew with the next', async () => {
    const agent = await agentOf(t, owner)
    const failTwice = () => openai.failNext({ kind: 'status', status: 503 }, { kind: 'status', status: 503 })
    const reply = newTopics()
    openai.script.reply = (call) => {
      failTwice()
      return reply(call)
    }
    failTwice()
    await runOnce(agent)
    for (const waits of [1, 2, 1, 2]) {
      expect(await lastRun(t, agent)).toMatchObject({ status: 'running', attempts: waits })
      t.advance(61_000)
      await t.runJobs()
    }
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 2, attempts: 0 })
  })

  test('before its generation was ended as interrupted is asked again', async () => {
    const agent = await agentOf(t, owner, { posts_per_run: 1 })
    const held = Promise.withResolvers<void>()
    openai.holdUntil(held.promise)
    await reachNextTime(agent)
    const jobs = t.runJobs()
    await openai.called(1)
    t.advance(90_000)
    await sweepGenerations(t.deps)
    held.resolve()
    openai.holdUntil()
    await jobs
    expect(await lastRun(t, agent)).toMatchObject({ status: 'running', attempts: 1 })
    t.advance(61_000)
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 1, credits: 1 })
    expect(await usedCredits()).toBe(1)
  })

  test('because the workspace generates as much as it may is waited for until dead generations have ended', async () => {
    openai.holdUntil(new Promise(() => undefined))
    const calls = Array.from({ length: 4 }, () => startText())
    await openai.called(4)
    openai.holdUntil()
    const agent = await agentOf(t, owner)
    await runOnce(agent)
    // However often it is tried, as this is no failure of the run.
    for (let tries = 0; tries < 5; tries++) {
      expect(await lastRun(t, agent)).toMatchObject({ status: 'running', attempts: 0 })
      t.advance(10_000)
      await t.runJobs()
    }
    for (const { leave } of calls) leave()
    const running = t.deps.db.selectFrom('ai_generation').select('id').where('state', '=', 'running')
    await until(async () => expect(await running.execute()).toEqual([]))
    t.advance(10_000)
    await t.runJobs()
    expect(await lastRun(t, agent)).toMatchObject({ status: 'completed', made: 2 })
  })

  test('and refuses every run disables the agent after five', async () => {
    openai.failAlways({ kind: 'status', status: 400 })
    const agent = await agentOf(t, owner)
    for (let run = 0; run < 5; run++) expect(await runOnce(agent)).toMatchObject({ reason: 'ai_refused' })
    const after = await t.deps.db.selectFrom('agent').selectAll().where('id', '=', agent).executeTakeFirstOrThrow()
    expect(after).toMatchObject({ is_active: false, next_run_at: null, disabled_reason: 'failures' })
  })
})

describe('a run is skipped', () => {
  test('with the reason, when nobody may write or nowhere', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const demoted = await agentOf(t, owner, { acts_for_id: editor.id })
    await changeRole(t, editor, 'author')
    expect(await runOnce(demoted)).toMatchObject({ status: 'skipped', reason: 'owner_gone' })
    const banned = await memberOf(t, owner.workspace_id, 'editor')
    const ofBanned = await agentOf(t, owner, { acts_for_id: banned.id })
    const root = await signedIn(t, { instanceAdmin: true })
    expectStatus(await root.post(`/api/v1/admin/users/${banned.id}/ban`, {}), 200)
    expect(await runOnce(ofBanned)).toMatchObject({ status: 'skipped', reason: 'owner_gone' })
    const homeless = await agentOf(t, owner, {}, [])
    expect(await runOnce(homeless)).toMatchObject({ status: 'skipped', reason: 'no_accounts' })
    const off = await agentOf(t, owner)
    await reachNextTime(off)
    await t.deps.db.updateTable('agent').set({ is_active: false }).where('id', '=', off).execute()
    await t.runJobs()
    expect(await lastRun(t, off)).toMatchObject({ status: 'skipped', reason: 'disabled' })
    expect(openai.calls).toEqual([])
  })

  test('when its day is used up', async () => {
    const often = { schedule_cron: '0 * * * *', daily_limit: 3, timezone: 'UTC' }
    const agent = await agentOf(t, owner, { ...often, next_run_at: new Date(t.clock.now().getTime() + 86_400_000) })
    await t.deps.db
      .updateTable('agent')
      .set({ next_run_at: sql<Date>`date_trunc('day', next_run_at)` })
      .where('id', '=', agent)
      .execute()
    expect(await runOnce(agent)).toMatchObject({ made: 2 })
    expect(await runOnce(agent)).toMatchObject({ made: 1, status: 'completed' })
    expect(await runOnce(agent)).toMatchObject({ status: 'skipped', reason: 'daily_limit' })
    expect(await usedToday(agent)).toBe(3)
  })

  test('when it is late: after downtime one run is caught up, and only soon enough', async () => {
    const agent = await agentOf(t, owner, { schedule_cron: '0 * * * *' })
    await reachNextTime(agent, 3 * 3_600_000 + 60_000)
    expect(await lastRun(t, agent)).toMatchObject({ status: 'queued', missed: 3 })
    await t.runJobs()
    const daily = await agentOf(t, owner, { autonomy_level: 'auto' })
    await reachNextTime(daily, 3_600_001)
    expect(await lastRun(t, daily)).toMatchObject({ status: 'skipped', reason: 'late' })
  })

  test('when the one before still runs', async () => {
    const agent = await agentOf(t, owner, { schedule_cron: '0 * * * *' })
    await reachNextTime(agent)
    const { id } = await lastRun(t, agent)
    await reachNextTime(agent)
    expect(await lastRun(t, agent)).toMatchObject({ status: 'skipped', reason: 'still_running' })
    await t.runJobs()
    const first = await t.deps.db.selectFrom('agent_run').select('status').where('id', '=', id).execute()
    expect(first).toEqual([{ status: 'completed' }])
  })
})
