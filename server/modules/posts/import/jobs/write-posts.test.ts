import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { atOnce } from '../../../../../test/at-once.ts'
import { expectStatus, playgroundAccount, signedIn, type WorkspaceOwner } from '../../../../../test/factories.ts'
import { checkedImport, confirmed, rowsOf } from '../../../../../test/imports.ts'
import { testImage } from '../../../../../test/media.ts'
import { meterOf, planCalls } from '../../../usage/quotas.fixture.ts'
import { runImport } from './run-import.ts'

const t = await testApp()
const boss = await signedIn(t, { instanceAdmin: true })
expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
const { withPlan } = planCalls(() => ({ t, boss }))

let respond: RequestListener
const server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const year = t.clock.now().getUTCFullYear() + 1
/** A file with rows of one account, each at its own minute. */
const fileOf = (account: string, count: number, more: string[] = []) =>
  [
    'date,time,accounts,text,media,alt,status',
    ...Array.from({ length: count }, (_, index) => {
      const minute = String(index % 60).padStart(2, '0')
      const hour = String(Math.floor(index / 60) % 24).padStart(2, '0')
      return `${year}-03-${String(1 + Math.floor(index / 1440)).padStart(2, '0')},${hour}:${minute},${account},Post ${index + 1},,,`
    }),
    ...more,
  ].join('\r\n')

const withAccount = async (owner: WorkspaceOwner) => ({ owner, account: await playgroundAccount(owner) })
const countPosts = async ({ workspace_id }: WorkspaceOwner) => {
  const { rows } = await sql<{ posts: number; texts: number; jobs: number; events: number }>`
    select count(*)::int as posts, count(distinct content)::int as texts,
      (select count(*)::int from post_target t join graphile_worker.jobs on key = 'publish:' || t.id
        join post p on p.id = t.post_id where p.workspace_id = ${workspace_id}) as jobs,
      (select count(*)::int from event where workspace_id = ${workspace_id} and type = 'post.created') as events
    from post where workspace_id = ${workspace_id}`.execute(t.deps.db)
  return rows[0]
}

test('a job that dies between batches, and jobs at the same time, make each post once', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  const { id } = await checkedImport(t, owner, fileOf(account, 600))
  expectStatus(await owner.post(`/api/v1/imports/${id}/confirm`, { only: 'ok', as: 'scheduled' }), 200)
  // The second batch ends after its posts were written, before the commit.
  await sql`create function end_job() returns trigger language plpgsql as $$ begin raise 'The job died'; end $$`.execute(
    t.deps.db,
  )
  await sql`create trigger end_job before update on post_import_row for each row when (new.row = 400 and new.state = 'written')
    execute function end_job()`.execute(t.deps.db)
  const stopped = new AbortController().signal
  await expect(runImport(t.deps, { import_id: id }, { isLast: false, stopped })).rejects.toThrow('The job died')
  await sql`drop function end_job() cascade`.execute(t.deps.db)
  expect(await countPosts(owner)).toMatchObject({ posts: 250, texts: 250 })
  const halfway = expectStatus(await owner.get(`/api/v1/imports/${id}`), 200).body
  expect(halfway).toMatchObject({ status: 'writing', to_write: 600, counts: { written: 250, ok: 350 } })
  await atOnce(3, () => runImport(t.deps, { import_id: id }, { isLast: false, stopped }))
  await t.runJobs()
  expect(expectStatus(await owner.get(`/api/v1/imports/${id}`), 200).body).toMatchObject({
    ...{ status: 'done', counts: { written: 600 } },
  })
  expect(await countPosts(owner)).toEqual({ posts: 600, texts: 600, jobs: 600, events: 600 })
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(600)
})

test('an abort stops a job between two batches, and another goes on', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  const { id } = await checkedImport(t, owner, fileOf(account, 300))
  expectStatus(await owner.post(`/api/v1/imports/${id}/confirm`, { only: 'ok', as: 'draft' }), 200)
  await runImport(t.deps, { import_id: id }, { isLast: false, stopped: AbortSignal.abort() })
  expect(await countPosts(owner)).toMatchObject({ posts: 250, jobs: 0 })
  await t.runJobs()
  expect(await countPosts(owner)).toMatchObject({ posts: 300, texts: 300 })
})

test('posts count as of POST /posts, and rows that the plan has no room for are refused', async () => {
  const { owner, account } = await withAccount(await withPlan({ scheduled_posts_max: 2, posts_per_month: 10 }))
  const { id } = await checkedImport(t, owner, fileOf(account, 4, [`,,${account},An idea,,,draft`]))
  expect(await confirmed(t, owner, id)).toMatchObject({
    ...{ status: 'done', counts: { written: 3, errors: 2 } },
    problems: [{ code: 'limit_exceeded', count: 2 }],
  })
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(2)
  expectStatus(await owner.post(`/api/v1/imports/${id}/undo`), 200)
  await t.runJobs()
  expect((await meterOf(owner, 'posts_per_month')).used).toBe(0)
})

test('an account that is removed after the check refuses its rows only', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  const other = await playgroundAccount(owner)
  const { id } = await checkedImport(t, owner, fileOf(account, 2, [`${year}-04-01,09:00,${other},Other,,,`]))
  expectStatus(await owner.delete(`/api/v1/accounts/${other}`), 204)
  expect((await confirmed(t, owner, id)).counts).toMatchObject({ written: 2, errors: 1 })
  expect((await rowsOf(owner, id, '&state=error'))[0].problems).toMatchObject([
    { field: 'accounts', message: 'This account does not exist.' },
  ])
})

test('a file that several rows name is fetched once, and is in their posts', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  const image = await testImage(60, 40)
  let requests = 0
  respond = (_, response) => {
    requests++
    response.writeHead(200).end(image)
  }
  const rows = [1, 2].map((day) => `${year}-04-0${day},09:00,${account},Post ${day},${url}/simit.png,A tray,`)
  const { id, counts } = await checkedImport(t, owner, fileOf(account, 0, rows))
  expect([counts.ok, requests]).toEqual([2, 0])
  expect((await confirmed(t, owner, id)).counts).toMatchObject({ written: 2 })
  expect(requests).toBe(1)
  const { data } = expectStatus(await owner.get('/api/v1/posts'), 200).body
  expect(data.map((post: { status: string }) => post.status)).toEqual(['scheduled', 'scheduled'])
  expect(data[0].media_ids).toEqual(data[1].media_ids)
  const file = expectStatus(await owner.get(`/api/v1/media/${data[0].media_ids[0]}`), 200).body
  expect(file).toMatchObject({ alt: 'A tray', name: 'simit.png', width: 60 })
})

test('a post whose file cannot be fetched becomes a draft, and its row says why', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  let requests = 0
  respond = (_, response) => {
    requests++
    response.writeHead(500).end()
  }
  const rows = [
    `${year}-04-01,09:00,${account},Post,${url}/gone.png,,`,
    `${year}-04-02,09:00,${account},Inside,http://169.254.169.254/secret,,`,
    `${year}-04-03,09:00,${account},Neither,simit.png,,`,
  ]
  const { id } = await checkedImport(t, owner, fileOf(account, 0, rows))
  expect((await rowsOf(owner, id))[2].problems).toMatchObject([{ field: 'media', column: 4, value: 'simit.png' }])
  expect((await confirmed(t, owner, id)).counts).toMatchObject({ written: 2, errors: 1 })
  expect(requests).toBe(3)
  const [first, second] = await rowsOf(owner, id)
  expect(first.problems).toMatchObject([{ field: 'media', code: 'import_failed', value: `${url}/gone.png` }])
  expect(second.problems).toMatchObject([{ field: 'media', code: 'url_not_allowed' }])
  const { data } = expectStatus(await owner.get('/api/v1/posts'), 200).body
  expect(data).toMatchObject([
    { content: 'Post', status: 'draft' },
    { content: 'Inside', status: 'draft' },
  ])
})

test('a completed import is an event, beside those of its posts', async () => {
  const { owner, account } = await withAccount(await withPlan({}))
  const { id } = await checkedImport(t, owner, fileOf(account, 2))
  await confirmed(t, owner, id)
  const { rows } = await sql<{ type: string; data: Record<string, unknown> }>`
    select type, payload::json -> 'data' as data from event where workspace_id = ${owner.workspace_id}
      and type in ('post.created', 'import.completed') order by id`.execute(t.deps.db)
  expect(rows.map(({ type }) => type)).toEqual(['post.created', 'post.created', 'import.completed'])
  expect(rows[2]?.data).toMatchObject({ import_id: id, name: 'march.csv', posts: 2, refused: 0, by: { id: owner.id } })
  const entries = await t.deps.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  expect(entries).toEqual(
    ['import.created', 'import.confirmed', 'import.posts_created'].map((action) => ({ action, actor_id: owner.id })),
  )
})
