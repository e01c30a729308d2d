import type { Insertable } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import type { Client } from '../../../../test/client.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import type { AiServer, Call } from '../../../../test/stand-ins/ai-server.ts'
import type { Agent } from '../../../lib/db/database-types.ts'
import { draft } from '../drafts/draft.fixture.ts'
import type { Draft } from '../drafts/draft.ts'
import { nextTime } from '../record/schedule.ts'
import { startDueRuns } from './start-due-runs.ts'

/** A new owner, the only one whose agents will be due. The model replies with new topics. */
export async function onlyOwner(t: TestApp, openai: AiServer) {
  openai.reset()
  openai.script.reply = newTopics()
  await t.deps.db.updateTable('agent').set({ is_active: false }).execute()
  return withWorkspace(t)
}

/** Moves the clock to noon of the second day of the next month, on which tests of whole months can build. */
export function beginMonth(t: TestApp) {
  const now = t.clock.now()
  t.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2, 12) - now.getTime())
}

/** An active agent of this owner with an account, due every day at nine in Istanbul. */
export async function agentOf(
  t: TestApp,
  owner: WorkspaceOwner,
  more: Partial<Insertable<Agent>> = {},
  account_ids?: string[],
) {
  const schedule = { schedule_cron: '0 9 * * *', timezone: 'Europe/Istanbul' }
  const { id } = await t.deps.db
    .insertInto('agent')
    .values({
      workspace_id: owner.workspace_id,
      acts_for_id: owner.id,
      name: 'Baker',
      description: '',
      category: 'food',
      tags: [],
      role: 'Baker',
      persona: 'Warm',
      system_prompt: 'Write about bread.',
      image_style: '',
      voice: 'Short',
      ...schedule,
      posts_per_run: 2,
      daily_limit: 10,
      autonomy_level: 'draft',
      generate_image: false,
      design: false,
      video: false,
      link_domains: ['brand.com'],
      forbidden_words: [],
      is_active: true,
      next_run_at: nextTime(schedule, t.clock.now()),
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const account_id of account_ids ?? [await playgroundAccount(owner)])
    await t.deps.db.insertInto('agent_account').values({ agent_id: id, account_id }).execute()
  return id
}

/** Output of a model: a whole draft. */
export const draftText = (more: Partial<Draft> = {}) => JSON.stringify(draft(more))

const words = [
  'oven',
  'rye',
  'simit',
  'flour',
  'sesame',
  'yeast',
  'crust',
  'baker',
  'counter',
  'winter',
  'barley',
  'tea',
]

/** A model that writes about something else at each call. */
export function newTopics() {
  let calls = 0
  return (_: Call) => {
    const [first, second] = [words[calls % words.length], words[(calls * 5 + 3) % words.length]]
    calls++
    return draftText({
      topic: `Post ${calls}`,
      content: `${first} ${second} ${calls} ${'abcdefghijkl'.slice(calls % 9)}`,
    })
  }
}

/** The newest run of an agent. */
export const lastRun = (t: TestApp, agent_id: string) =>
  t.deps.db
    .selectFrom('agent_run')
    .selectAll()
    .where('agent_id', '=', agent_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** Posts that an agent wrote, in their order. */
export const postsOf = (t: TestApp, agent_id: string) =>
  t.deps.db
    .selectFrom('post')
    .innerJoin('agent_run', 'agent_run.id', 'post.agent_run_id')
    .select(['post.id', 'content', 'post.status', 'scheduled_at', 'author_id'])
    .where('agent_id', '=', agent_id)
    .orderBy('agent_run_id')
    .orderBy('agent_position')
    .execute()

/** Moves the clock to the next time of an agent, and starts what is due. */
export async function reachTimeOf(t: TestApp, agent_id: string, late_ms = 0) {
  const { next_run_at } = await t.deps.db
    .selectFrom('agent')
    .select('next_run_at')
    .where('id', '=', agent_id)
    .executeTakeFirstOrThrow()
  if (!next_run_at) throw new Error('The agent has no next time')
  t.advance(next_run_at.getTime() + late_ms - t.clock.now().getTime())
  await startDueRuns(t.deps)
}

/** Runs an agent at its next time to the end. */
export async function runAtNextTime(t: TestApp, agent_id: string) {
  await reachTimeOf(t, agent_id)
  await t.runJobs()
  return lastRun(t, agent_id)
}

/** Posts that an agent scheduled by itself, for 15 and 105 minutes after now. */
export async function scheduledBy(t: TestApp, agent: string) {
  await runAtNextTime(t, agent)
  const made = await postsOf(t, agent)
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 'scheduled'))
  return made.map(({ id }) => id)
}

export const stopAllAgents = async (owner: Pick<Client, 'post'>) =>
  expectStatus(await owner.post('/api/v1/agents/disable-all'), 200).body

/** The posts that readers of these accounts of the playground see. */
export const sentTo = (t: TestApp, account_ids: string[]) =>
  t.deps.db.selectFrom('playground_post').select('content').where('account_id', 'in', account_ids).execute()
