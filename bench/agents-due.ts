import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createModel } from '../server/modules/ai/models/models.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { MINUTE } from '../shared/time.ts'
import {
  atMost,
  type Bench,
  type Claim,
  compareWithLimit,
  createMany,
  digits,
  type Measurement,
  quantile,
  waitUntil,
} from './harness.ts'
import { createOwner, createUser, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, startServer } from './processes.ts'

const AGENTS = 10_000
const MAX_SECONDS = 20 * 60
const AGENTS_OF_WORKSPACE = 50
/** Time that the model takes for a text. */
const LATENCY_MS = 200
/** Times by which the lateness of posts of others may grow. */
const MAX_RATIO = 1.5
/** Posts of others that are due in each second. */
const POSTS_A_SECOND = 10
/** Time to create these before the first is due. */
const AHEAD_MS = 10_000

const SETTINGS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }

/**
 * Has agents run that are due in the same minute, on two nodes. Measures how long all runs take, and how late posts of
 * others are published beside them, compared with before.
 */
export const claim: Claim = {
  name: 'agents-due',
  target: atMost(1, `all within ${MAX_SECONDS / 60} min`),
  measure: async (bench) => {
    const agents = bench.quick ? AGENTS / 10 : AGENTS
    const connection = await startPostgres()
    const model = await startServer('fixtures/chat-model.ts', { LATENCY_MS: String(LATENCY_MS) })
    return withDeps(
      connection,
      async (deps) => {
        const owner = await createOwner(deps)
        await createModel(deps, owner, {
          ...{ provider: 'custom', model_key: 'bench', name: 'Bench', category: 'text', api_type: 'chat' },
          api_params: { base_url: `${model.url}/v1` },
        })
        bench.log(`creating ${agents} agents`)
        await addAgents(deps, owner, agents)
        const neighbour = await newMember(deps, owner, 'neighbour')
        const settings = { ...serverSettings(connection), ...SETTINGS, ROLE: 'all' }
        await startMeydan(settings)
        await startMeydan(settings)
        return runAtOnce(bench, deps, { agents, neighbour })
      },
      SETTINGS,
    )
  },
}

/** A user who owns a workspace. */
async function newMember(deps: Deps, owner: Member, name: string) {
  const user = await createUser(deps, owner, `${name}@example.com`)
  const { id } = await createWorkspace(deps.db, user, { name })
  return { ...user, workspace_id: id }
}

/** Adds agents that are enabled, and whose time comes when the bench sets it. Each workspace has an account. */
async function addAgents(deps: Deps, owner: Member, agents: number) {
  await createMany(Math.ceil(agents / AGENTS_OF_WORKSPACE), async (index) => {
    const member = await newMember(deps, owner, `agents${index}`)
    const account = await connectAccount(deps, member, { network: 'playground' })
    await deps.pool.query(
      `with made as (
        insert into agent (workspace_id, acts_for_id, name, description, category, tags, role, persona, system_prompt,
          image_style, voice, schedule_cron, timezone, posts_per_run, daily_limit, autonomy_level, generate_image, design,
          video, link_domains, forbidden_words, is_active)
        select $1, $2, 'Agent ' || i, '', 'other', '{}', 'Baker', '', 'Write about bread.', '', '', '0 9 * * *', 'UTC', 1,
          1, 'draft', false, false, false, '{}', '{}', true
        from generate_series(1, $3::int) as i returning id)
      insert into agent_account (agent_id, account_id) select id, $4 from made`,
      [
        ...[member.workspace_id, member.user_id],
        ...[Math.min(AGENTS_OF_WORKSPACE, agents - index * AGENTS_OF_WORKSPACE), account.id],
      ],
    )
  })
  await deps.pool.query('vacuum analyze')
}

type Load = { agents: number; neighbour: Member }

async function runAtOnce({ quick, log }: Bench, deps: Deps, { agents, neighbour }: Load): Promise<Measurement[]> {
  const seconds = quick ? 15 : 60
  const account = await connectAccount(deps, neighbour, { network: 'playground' })
  const publish = (from: number) => schedule(deps, neighbour, { account_id: account.id, from, seconds })
  // The first posts load what publishing needs.
  await latenessOf(deps, await publish(Date.now() + AHEAD_MS))
  const alone = await latenessOf(deps, await publish(Date.now() + AHEAD_MS))
  const due = Math.ceil((Date.now() + AHEAD_MS) / MINUTE) * MINUTE
  const posts = await publish(due)
  const cron = `${new Date(due).getUTCMinutes()} ${new Date(due).getUTCHours()} * * *`
  await deps.pool.query('update agent set next_run_at = $1, schedule_cron = $2', [new Date(due), cron])
  const beside = await latenessOf(deps, posts)
  const isDone = async () => {
    const { rows } = await deps.pool.query<{ left: number }>(
      `select count(*)::int as left from agent where not exists (
        select from agent_run where agent_id = agent.id and ended_at is not null)`,
    )
    left = rows[0]?.left ?? agents
    return left === 0
  }
  let left = agents
  const limit = (MAX_SECONDS * agents) / AGENTS
  await waitUntil(isDone, () => `${agents} agents have run: ${left} have not`, { seconds: limit * 2, every: 1000 })
  const { rows } = await deps.pool.query<{ runs: number; completed: number; posts: number; seconds: number }>(
    `select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
      (select count(*)::int from post where agent_run_id is not null) as posts,
      extract(epoch from max(ended_at) - $1)::float8 as seconds from agent_run`,
    [new Date(due)],
  )
  const [made] = rows
  if (!made || [made.runs, made.completed, made.posts].some((count) => count !== agents))
    throw new Error(`${agents} agents should have run once each: ${JSON.stringify(made)}`)
  const [p99Alone, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)]
  log(`${agents} runs in ${digits(made.seconds)} s, ${digits(agents / made.seconds)} a second`)
  log(`posts of others: p50 ${digits(quantile(beside, 0.5))} ms late, before ${digits(quantile(alone, 0.5))} ms`)
  return [
    {
      ...compareWithLimit([made.seconds], limit, 's'),
      part: 'all runs',
      target: atMost(1, `≤ ${limit} s`),
    },
    {
      ...compareWithLimit([p99Beside], p99Alone, 'ms p99'),
      part: 'posts of others',
      target: atMost(MAX_RATIO, `≤ ${MAX_RATIO} times`),
    },
  ]
}

type Schedule = { account_id: string; from: number; seconds: number }

/** Schedules posts for each second from `from` on. Returns their ids. */
async function schedule(deps: Deps, member: Member, { account_id, from, seconds }: Schedule) {
  const first = Math.ceil(from / 1000) * 1000
  const posts = await createMany(seconds * POSTS_A_SECOND, (index) =>
    createPost(deps, member, {
      content: `Post ${index} of ${from}`,
      account_ids: [account_id],
      scheduled_at: new Date(first + Math.floor(index / POSTS_A_SECOND) * 1000).toISOString(),
    }),
  )
  if (Date.now() > first) throw new Error('The machine is too slow: posts were due before all of them were scheduled.')
  return posts.map(({ id }) => id)
}

/** Waits until posts are published. Returns how many milliseconds late each was. */
async function latenessOf({ pool }: Deps, ids: string[]) {
  const read = async () => {
    const { rows } = await pool.query<{ late: number }>(
      `select (extract(epoch from post_target.published_at - post.scheduled_at) * 1000)::float8 as late
      from post join post_target on post_target.post_id = post.id
      where post.id = any($1) and post.status = 'published'`,
      [ids],
    )
    return rows.map(({ late }) => late)
  }
  await waitUntil(
    async () => (await read()).length === ids.length,
    () => `${ids.length} posts are published`,
    {
      seconds: 300,
      every: 500,
    },
  )
  return read()
}
