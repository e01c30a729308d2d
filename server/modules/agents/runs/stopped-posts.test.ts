import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, PASSWORD, playgroundAccount, type WorkspaceOwner } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { startWorker } from '../../../worker.ts'
import { publishTargets } from '../../posts/publishing/publishing.ts'
import { HELD_BATCH, holdScheduledPosts } from './finishing/hold-scheduled-posts.ts'
import { notifyWaitingPosts } from './finishing/notify-waiting.ts'
import {
  agentOf,
  newTopics,
  onlyOwner,
  postsOf,
  runAtNextTime,
  scheduledBy,
  sentTo,
  stopAllAgents,
} from './runs.fixture.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const MINUTE = 60_000
const agents = '/api/v1/agents'
const posts = '/api/v1/posts'

const auto = { autonomy_level: 'auto' as const }

/** Adds scheduled posts like this one, without accounts. */
const copy = (id: string | undefined, count: number) =>
  sql`insert into post (workspace_id, author_id, content, status, scheduled_at, agent_run_id, agent_position)
    select workspace_id, author_id, content || i, status, scheduled_at, agent_run_id, 100 + i
    from post, generate_series(1, ${count}) as i where post.id = ${id}::uuid`.execute(t.deps.db)

const read = async (id: string) => expectStatus(await owner.get(`${posts}/${id}`), 200).body
async function advance(minutes: number) {
  t.advance(minutes * MINUTE)
  await t.runJobs()
}

describe('stopping all agents', () => {
  test('holds what they scheduled by themselves, which is not published at its time', async () => {
    const ids = await scheduledBy(t, await agentOf(t, owner, auto))
    expect(await stopAllAgents(owner)).toEqual({ disabled: 1, held_posts: 2 })
    await advance(200)
    for (const id of ids) expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
    const listed = expectStatus(await owner.get(`${posts}?held=agents_stopped`), 200).body.data
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
    expect(expectStatus(await owner.get(`${posts}/counts`), 200).body).toMatchObject({ held: 2, stopped: 2 })
    const events = expectStatus(await owner.get('/api/v1/events?type=post.held'), 200).body.data
    expect(events).toMatchObject([{ data: { post: { held: 'agents_stopped' } } }, {}])
  })

  test('leaves posts of people, approved posts and drafts as they are', async () => {
    const account = await playgroundAccount(owner)
    const scheduled_at = new Date(t.clock.now().getTime() + 86_400_000 * 3).toISOString()
    const own = expectStatus(
      await owner.post(posts, { content: 'Mine', account_ids: [account], scheduled_at }),
      201,
    ).body
    const asking = await agentOf(t, owner, { autonomy_level: 'approve' }, [account])
    await runAtNextTime(t, asking)
    const [approved, waiting] = await postsOf(t, asking)
    expectStatus(await owner.post(`${posts}/${approved?.id}/approve`), 200)
    expect(await stopAllAgents(owner)).toMatchObject({ held_posts: 0 })
    expect(await read(own.id)).toMatchObject({ status: 'scheduled', held: null })
    expect(await read(String(approved?.id))).toMatchObject({ status: 'scheduled', held: null })
    expect(await read(String(waiting?.id))).toMatchObject({ status: 'draft', held: null, review: 'pending' })
  })

  test('stops the posts of an agent that was disabled before and started by hand', async () => {
    const agent = await agentOf(t, owner, { ...auto, is_active: false })
    expectStatus(await owner.post(`${agents}/${agent}/run`), 201)
    await t.runJobs()
    expect(await stopAllAgents(owner)).toEqual({ disabled: 0, held_posts: 2 })
  })
})

test('disabling one agent holds its posts alone', async () => {
  const [stopped, going] = [await agentOf(t, owner, auto), await agentOf(t, owner, auto)]
  const [of_stopped = '', of_going = ''] = [(await scheduledBy(t, stopped))[0], (await postsOf(t, going))[0]?.id]
  expectStatus(await owner.post(`${agents}/${stopped}/disable`), 200)
  await advance(16)
  expect(await read(of_stopped)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
  expect(await read(of_going)).toMatchObject({ status: 'published', held: null })
})

test('deleting an agent holds its posts, which stay', async () => {
  const agent = await agentOf(t, owner, auto)
  const ids = await scheduledBy(t, agent)
  expectStatus(await owner.call('DELETE', `${agents}/${agent}`), 204)
  await advance(200)
  for (const id of ids) expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
})

test('more posts than one transaction holds are all held before the response', async () => {
  const agents = [
    await agentOf(t, owner, { ...auto, posts_per_run: 1 }),
    await agentOf(t, owner, { ...auto, posts_per_run: 1 }),
  ]
  await runAtNextTime(t, String(agents[0]))
  const [post] = await postsOf(t, String(agents[0]))
  await copy(post?.id, HELD_BATCH * 2 + 1)
  expect(await stopAllAgents(owner)).toMatchObject({ disabled: 2, held_posts: HELD_BATCH * 2 + 3 })
  expect(await stopAllAgents(owner)).toEqual({ disabled: 0, held_posts: 0 })
})

test('beside a worker, a request counts and signs all that it holds', async () => {
  const [post = ''] = await scheduledBy(t, await agentOf(t, owner, { ...auto, posts_per_run: 1 }))
  await copy(post, HELD_BATCH * 3)
  const node = await testApp({}, { beside: t })
  const worker = await startWorker({ ...node.deps, clock: t.deps.clock }, { alone: false })
  try {
    expect(await stopAllAgents(owner)).toEqual({ disabled: 1, held_posts: HELD_BATCH * 3 + 1 })
  } finally {
    await worker.stop()
    await node.close()
  }
  const { rows } = await sql`select actor_id, count(*)::int as count from audit_entry
    where workspace_id = ${owner.workspace_id} and action = 'post.held' group by 1`.execute(t.deps.db)
  expect(rows).toEqual([{ actor_id: owner.id, count: HELD_BATCH * 3 + 1 }])
})

test('a released post is published though the member who released it has no user account any more', async () => {
  const [id = ''] = await scheduledBy(t, await agentOf(t, owner, { ...auto, posts_per_run: 1 }))
  await stopAllAgents(owner)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  expectStatus(await editor.post(`${posts}/${id}/release`), 200)
  expectStatus(await editor.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
  expect((await read(id)).updated_by_id).toBeNull()
  await advance(16)
  expect((await read(id)).status).toBe('published')
})

test('an agent that is disabled by failures, or with the member it acts for, holds its posts', async () => {
  const failing = await agentOf(t, owner, { ...auto, posts_per_run: 1, failures: 4 })
  const [first = ''] = await scheduledBy(t, failing)
  await t.deps.db.updateTable('agent').set({ failures: 4 }).where('id', '=', failing).execute()
  openai.failAlways({ kind: 'status', status: 400 })
  expectStatus(await owner.post(`${agents}/${failing}/run`), 201)
  await t.runJobs()
  expect(await read(first)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })

  openai.reset()
  openai.script.reply = newTopics()
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const orphan = await agentOf(t, owner, { ...auto, posts_per_run: 1, acts_for_id: editor.id })
  const [second = ''] = await scheduledBy(t, orphan)
  expectStatus(await owner.call('DELETE', `/api/v1/workspace/members/${editor.id}`), 204)
  await t.runJobs()
  expect(await read(second)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
})

describe('while a job has yet to hold the posts of a member who left', () => {
  /** Posts of an agent whose member leaves before they are due. They are due now, and no job has run since. */
  async function leave(accounts = 1) {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const account_ids = await Promise.all(Array.from({ length: accounts }, () => playgroundAccount(owner)))
    const agent = await agentOf(t, owner, { ...auto, posts_per_run: 1, acts_for_id: editor.id }, account_ids)
    const [id = ''] = await scheduledBy(t, agent)
    const targets = await t.deps.db.selectFrom('post_target').select('id').where('post_id', '=', id).execute()
    const remove = async () => expectStatus(await owner.call('DELETE', `/api/v1/workspace/members/${editor.id}`), 204)
    t.advance(16 * MINUTE)
    return { agent, id, account_ids, targets: targets.map((target) => target.id), remove }
  }
  const publish = (target_id = '') => publishTargets(t.deps, { target_id })

  test('none of them is begun to be published', async () => {
    const { id, account_ids, targets, remove } = await leave()
    await remove()
    await publish(targets[0])
    expect(await sentTo(t, account_ids)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'scheduled', held: null, targets: [{ status: 'pending' }] })
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
    expect(await sentTo(t, account_ids)).toEqual([])
  })

  test('one that was published on an account is not begun on the others', async () => {
    const { id, account_ids, targets, remove } = await leave(2)
    await publish(targets[0])
    await remove()
    await publish(targets[1])
    expect(await sentTo(t, account_ids)).toHaveLength(1)
    await t.runJobs()
    expect((await read(id)).status).toBe('partially_published')
  })

  test('one that a member publishes is published', async () => {
    const { id, account_ids, remove } = await leave()
    await remove()
    expectStatus(await owner.post(`${posts}/${id}/publish`), 200)
    await t.runJobs()
    expect(await sentTo(t, account_ids)).toHaveLength(1)
  })

  test('one that was changed keeps its time', async () => {
    const { id, remove } = await leave()
    await remove()
    expectStatus(await owner.patch(`${posts}/${id}`, { content: 'Changed by a person' }), 200)
    await t.runJobs()
    expect((await read(id)).status).toBe('published')
  })

  test('a job that died between two batches is resumed by the next one', async () => {
    const { agent, id, remove } = await leave()
    await copy(id, HELD_BATCH)
    await remove()
    let batches = 0
    const now = () => {
      if (++batches > 1) throw new Error('The worker died')
      return t.clock.now()
    }
    const { workspace_id } = owner
    const held = async () =>
      (
        await t.deps.db
          .selectFrom('post')
          .select('id')
          .where('workspace_id', '=', workspace_id)
          .where('held', 'is not', null)
          .execute()
      ).length
    await expect(
      holdScheduledPosts({ db: t.deps.db, clock: { ...t.clock, now } }, { workspace_id, ids: [agent] }),
    ).rejects.toThrow('The worker died')
    expect(await held()).toBe(HELD_BATCH)
    await t.runJobs()
    expect(await held()).toBe(HELD_BATCH + 1)
  })
})

test('posts that a member released or changed are not held by another stop', async () => {
  const [first = '', second = ''] = await scheduledBy(t, await agentOf(t, owner, auto))
  await stopAllAgents(owner)
  expectStatus(await owner.post(`${posts}/release`), 200)
  expectStatus(await owner.patch(`${posts}/${second}`, { content: 'Changed by a person' }), 200)
  expect(await stopAllAgents(owner)).toEqual({ disabled: 0, held_posts: 0 })
  expect((await read(first)).held).toBeNull()
})

describe('a held post', () => {
  test('that is released keeps its time, and goes out at once when that has passed', async () => {
    const [first = '', second = ''] = await scheduledBy(t, await agentOf(t, owner, auto))
    await stopAllAgents(owner)
    await advance(20)
    const released = expectStatus(await owner.post(`${posts}/${first}/release`), 200).body
    expect(released).toMatchObject({ status: 'scheduled', held: null })
    expectStatus(await owner.post(`${posts}/${second}/release`), 200)
    await t.runJobs()
    expect((await read(first)).status).toBe('published')
    expect((await read(second)).status).toBe('scheduled')
    await advance(90)
    expect((await read(second)).status).toBe('published')
    expect(expectProblem(await owner.post(`${posts}/${first}/release`), 409, 'invalid_transition').state).toBe(
      'published',
    )
  })

  test('is released with all others of its workspace by an editor, and by nobody less', async () => {
    const ids = await scheduledBy(t, await agentOf(t, owner, auto))
    await stopAllAgents(owner)
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await author.post(`${posts}/release`), 403, 'forbidden_role')
    expectProblem(await author.post(`${posts}/${ids[0]}/release`), 403, 'forbidden_role')
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expect(expectStatus(await editor.post(`${posts}/release`), 200).body).toEqual({ released: 2 })
    expect(expectStatus(await editor.post(`${posts}/release`), 200).body).toEqual({ released: 0 })
    await advance(200)
    for (const id of ids) expect((await read(id)).status).toBe('published')
  })

  test('is not released with those that are late, which need a time', async () => {
    const [id = ''] = await scheduledBy(t, await agentOf(t, owner, auto))
    await t.deps.db.updateTable('post').set({ held: 'late' }).where('id', '=', id).execute()
    expect(expectStatus(await owner.post(`${posts}/release`), 200).body).toEqual({ released: 0 })
    expect(expectProblem(await owner.post(`${posts}/${id}/release`), 409, 'invalid_transition').state).toBe('late')
  })

  test('can be published now, rescheduled, or made a draft', async () => {
    const [first = '', second = ''] = await scheduledBy(t, await agentOf(t, owner, auto))
    await stopAllAgents(owner)
    expectStatus(await owner.post(`${posts}/${first}/publish`), 200)
    expect(expectStatus(await owner.patch(`${posts}/${second}`, { scheduled_at: null }), 200).body).toMatchObject({
      status: 'draft',
      held: null,
    })
    await t.runJobs()
    expect((await read(first)).status).toBe('published')
  })
})

test('once a day, editors are told which agents have posts that wait in review or are held', async () => {
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const asking = await agentOf(t, owner, { name: 'Asks', autonomy_level: 'approve' })
  const stopped = await agentOf(t, owner, { name: 'Stopped', ...auto })
  await agentOf(t, owner, { name: 'Idle', is_active: false })
  await scheduledBy(t, stopped)
  expect((await postsOf(t, asking)).length).toBeGreaterThan(0)
  await stopAllAgents(owner)
  const told = async (who: Pick<WorkspaceOwner, 'get'>) => {
    const { data } = expectStatus(await who.get('/api/v1/me/notifications?limit=100'), 200).body
    return data
      .filter(({ kind }: { kind: string }) => kind === 'agent.waiting')
      .map(({ subject }: { subject: { name: string } }) => subject.name)
      .sort()
  }
  const tell = async () => {
    await notifyWaitingPosts(t.deps)
    await notifyWaitingPosts(t.deps)
    await t.runJobs()
  }
  await tell()
  expect(await told(editor)).toEqual(['Asks', 'Stopped'])
  expect(await told(owner)).toEqual(['Asks', 'Stopped'])
  const { rows } = await sql<{ mail: string | null }>`
    select distinct n.mail from notification n join notification_event e on e.id = n.event_id
    where e.kind = 'agent.waiting' and n.user_id = ${owner.id}`.execute(t.deps.db)
  expect(rows).toEqual([{ mail: 'digest' }])
  for (const { id, review } of expectStatus(await owner.get(`${posts}?limit=100`), 200).body.data)
    expectStatus(
      review === 'pending' ? await owner.post(`${posts}/${id}/approve`) : await owner.call('DELETE', `${posts}/${id}`),
      review === 'pending' ? 200 : 204,
    )
  t.advance(86_400_000)
  await tell()
  expect(await told(editor)).toEqual(['Asks', 'Stopped'])
})
