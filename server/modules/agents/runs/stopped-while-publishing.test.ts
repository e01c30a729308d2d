import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { NetworkFault } from '../../networks/network.ts'
import { commitIntent, type PublishIntent } from '../../posts/publishing/publish-intent.ts'
import { storeOutcome } from '../../posts/publishing/publish-outcome.ts'
import { publishTargets } from '../../posts/publishing/publishing.ts'
import { createStepJournal, Superseded } from '../../posts/publishing/step-journal.ts'
import { agentOf, onlyOwner, postsOf, runAtNextTime, scheduledBy, sentTo, stopAllAgents } from './runs.fixture.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const MINUTE = 60_000
const posts = '/api/v1/posts'
const auto = { autonomy_level: 'auto' as const }

const read = async (id: string) => expectStatus(await owner.get(`${posts}/${id}`), 200).body

describe('a post that is being published when its agent is stopped', () => {
  /** A post of an agent that is due, with the targets in the order of their accounts. */
  async function due(accounts = 1) {
    const account_ids = await Promise.all(Array.from({ length: accounts }, () => playgroundAccount(owner)))
    const agent = await agentOf(t, owner, { ...auto, posts_per_run: 1 }, account_ids)
    const [id = ''] = await scheduledBy(t, agent)
    t.advance(16 * MINUTE)
    const targets = await t.deps.db.selectFrom('post_target').select('id').where('post_id', '=', id).execute()
    return { id, account_ids, targets: targets.map((target) => target.id) }
  }
  const begin = async (target: string | undefined) => {
    const intent = await commitIntent(t.deps, String(target))
    if (!intent) throw new Error('The target is not due.')
    return intent
  }
  const journalOf = (intent: PublishIntent) => createStepJournal(t.deps, intent, undefined)

  test('is held when its attempt has begun and sent nothing, and that attempt sends nothing more', async () => {
    const { id, targets } = await due()
    const intent = await begin(targets[0])
    const { step } = journalOf(intent)
    await step('upload 0', { run: async () => ({ file: 1 }), ifLost: 'repeat' })
    expect(await stopAllAgents(owner)).toMatchObject({ held_posts: 1 })
    let sent = 0
    const sending = step('post 0', { run: async () => ({ sent: ++sent }), ifLost: 'repeat', part: 0 })
    await expect(sending).rejects.toBeInstanceOf(Superseded)
    expect(sent).toBe(0)
    expect(await read(id)).toMatchObject({
      status: 'scheduled',
      held: 'agents_stopped',
      targets: [{ status: 'pending' }],
    })
    await publishTargets(t.deps, { target_id: String(targets[0]) })
    expect((await read(id)).held).toBe('agents_stopped')
    expectStatus(await owner.post(`${posts}/${id}/release`), 200)
    await t.runJobs()
    expect((await read(id)).status).toBe('published')
  })

  test('commits its first step before it runs, also one that may be repeated', async () => {
    const { targets } = await due()
    const intent = await begin(targets[0])
    await stopAllAgents(owner)
    let sent = 0
    const sending = journalOf(intent).step('post 0', { run: async () => ({ sent: ++sent }), ifLost: 'repeat', part: 0 })
    await expect(sending).rejects.toBeInstanceOf(Superseded)
    expect(sent).toBe(0)
  })

  test('goes on when a network was sent something, and what came of it is stored', async () => {
    const { id, targets } = await due()
    const intent = await begin(targets[0])
    const journal = journalOf(intent)
    await journal.step('post 0', {
      run: () => stopAllAgents(owner),
      ifLost: 'repeat',
      part: 0,
    })
    expect((await read(id)).held).toBeNull()
    const outcome = { kind: 'published', external_id: 'sent', url: null } as const
    await storeOutcome(t.deps, { intent, attempt: { outcome, journal }, ownJobWaits: true })
    expect(await read(id)).toMatchObject({ status: 'published', held: null })
  })

  test('is held while a network refuses it for its rate limit', async () => {
    const { id, targets } = await due()
    const intent = await begin(targets[0])
    const journal = journalOf(intent)
    const outcome = { kind: 'unavailable', message: 'Slow down.', is_limited: true } as const
    const refused = journal.step('post 0', {
      run: async () => {
        throw new NetworkFault(outcome)
      },
      ifLost: { find: async () => undefined, ifAbsent: 'repeat' },
      part: 0,
    })
    await expect(refused).rejects.toThrow('Slow down.')
    await storeOutcome(t.deps, { intent, attempt: { outcome, journal }, ownJobWaits: true })
    expect(await stopAllAgents(owner)).toMatchObject({ held_posts: 1 })
    t.advance(200 * MINUTE)
    await t.runJobs()
    expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'agents_stopped' })
    expectStatus(await owner.post(`${posts}/${id}/release`), 200)
    await t.runJobs()
    expect((await read(id)).status).toBe('published')
  })

  test('is not sent to its other accounts, on which it can be retried', async () => {
    const { id, account_ids, targets } = await due(3)
    await publishTargets(t.deps, { target_id: String(targets[0]) })
    expect(await stopAllAgents(owner)).toMatchObject({ held_posts: 0 })
    await t.runJobs()
    const stopped = await read(id)
    expect(stopped.status).toBe('partially_published')
    expect(stopped.targets.map(({ error_code }: { error_code: string | null }) => error_code).sort()).toEqual([
      'agents_stopped',
      'agents_stopped',
      null,
    ])
    expect(await sentTo(t, account_ids)).toHaveLength(1)
    expectStatus(await owner.post(`${posts}/${id}/retry`, {}), 200)
    await t.runJobs()
    expect((await read(id)).status).toBe('published')
    expect(await sentTo(t, account_ids)).toHaveLength(3)
  })

  test('is held where it waits, though it failed on another account, and is tried on both when it is released', async () => {
    const { id, account_ids, targets } = await due(2)
    await t.deps.db
      .updateTable('post_target')
      .set({ status: 'failed', error_code: 'content_refused', error_message: 'Refused.' })
      .where('id', '=', String(targets[0]))
      .execute()
    await t.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', id).execute()
    expect(await stopAllAgents(owner)).toMatchObject({ held_posts: 1 })
    const pending = { status: 'pending', error_code: null }
    expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'agents_stopped', targets: [pending, pending] })
    await t.runJobs()
    expect(await sentTo(t, account_ids)).toEqual([])
    expectStatus(await owner.post(`${posts}/${id}/release`), 200)
    await t.runJobs()
    expect((await read(id)).status).toBe('published')
    expect(await sentTo(t, account_ids)).toHaveLength(2)
  })

  test('is either held or published, and never both, however both meet', async () => {
    const account_ids = await Promise.all(Array.from({ length: 12 }, () => playgroundAccount(owner)))
    const made: string[] = []
    for (const account of account_ids) made.push(await agentOf(t, owner, { ...auto, posts_per_run: 1 }, [account]))
    const [first = ''] = made
    await runAtNextTime(t, first)
    const all = (await Promise.all(made.map((agent) => postsOf(t, agent)))).flat()
    const ids = all.filter(({ status }) => status === 'scheduled').map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(8)
    t.advance(16 * MINUTE)
    const [{ held_posts }] = await Promise.all([stopAllAgents(owner), t.runJobs()])
    await t.runJobs()
    const after = await Promise.all(ids.map(read))
    const held = after.filter((post) => post.held === 'agents_stopped')
    const published = after.filter(({ status }) => status === 'published')
    expect(held).toHaveLength(held_posts)
    expect(held.length + published.length).toBe(ids.length)
    expect(await sentTo(t, account_ids)).toHaveLength(published.length)
  })
})
