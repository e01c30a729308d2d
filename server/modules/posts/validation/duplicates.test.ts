import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { checkedImport, rowsOf } from '../../../../test/imports.ts'
import { newRecurringPost } from '../../../../test/recurring-posts.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { createOccurrences } from '../recurrence/create-occurrences.ts'
import { findDuplicates } from './duplicates.ts'

const t = await testApp()
let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})

const at = (days: number) => new Date(t.clock.now().getTime() + days * DAY).toISOString()
const write = async (body: object) =>
  expectStatus(await owner.post('/api/v1/posts', { account_ids: [account], ...body }), 201).body
const duplicatesOf = async (body: object) =>
  expectStatus(await owner.post('/api/v1/posts/validate', { account_ids: [account], ...body }), 200).body.duplicates
const idsOf = async (body: object) => (await duplicatesOf(body)).map(({ post_id }: { post_id: string }) => post_id)

describe('the same text within a month', () => {
  test('a scheduled post is named with its time, whatever the case and the white space', async () => {
    const scheduled_at = at(20)
    const { id } = await write({ content: 'Fresh  Simit\nfrom https://a.example/X', scheduled_at })
    const [found, ...others] = await duplicatesOf({ content: ' fresh simit from https://a.example/x ' })
    expect(others).toEqual([])
    expect(found).toMatchObject({ account_id: account, post_id: id, status: 'scheduled', scheduled_at })
    expect(found.excerpt).toContain('Simit')
    expect(await idsOf({ content: 'Fresh simit from https://b.example/X' })).toEqual([])
    expect(await idsOf({ content: 'Fresh simit' })).toEqual([])
  })

  test('a published post is named, a draft, a failed and a deleted one are not', async () => {
    const { id } = await write({ content: 'Out', publish_now: true })
    await t.runJobs()
    expect(await idsOf({ content: 'Out' })).toEqual([id])
    await write({ content: 'Draft' })
    expect(await idsOf({ content: 'Draft' })).toEqual([])
    const deleted = await write({ content: 'Gone', scheduled_at: at(1) })
    expectStatus(await owner.delete(`/api/v1/posts/${deleted.id}`), 204)
    expect(await idsOf({ content: 'Gone' })).toEqual([])
    const failed = await write({ content: 'Failed', scheduled_at: at(1) })
    await t.deps.db.updateTable('post_target').set({ status: 'failed' }).where('post_id', '=', failed.id).execute()
    expect(await idsOf({ content: 'Failed' })).toEqual([])
  })

  test('a post that waits for approval is named with the time that is planned, a rejected one is not', async () => {
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', { mode: 'one', own_posts: true }), 200)
    const scheduled_at = at(3)
    const { id } = await write({ content: 'Waits', scheduled_at })
    expect(await duplicatesOf({ content: 'Waits' })).toMatchObject([{ post_id: id, status: 'draft', scheduled_at }])
    expectStatus(await owner.post(`/api/v1/posts/${id}/reject`, { reason: 'No' }), 200)
    expect(await idsOf({ content: 'Waits' })).toEqual([])
  })

  test('the days count from the time of the new post, and the nearest post is named', async () => {
    await write({ content: 'Open', scheduled_at: at(1) })
    const near = await write({ content: 'Open', scheduled_at: at(50) })
    expect(await idsOf({ content: 'Open', scheduled_at: at(40) })).toEqual([near.id])
    expect(await idsOf({ content: 'Open', scheduled_at: at(90) })).toEqual([])
  })

  test('each account is looked at by its own text, and other accounts and workspaces are not', async () => {
    const other = await playgroundAccount(owner)
    const own = await write({
      content: 'For all',
      account_ids: undefined,
      targets: [{ account_id: account, content: 'For one' }, { account_id: other }],
      scheduled_at: at(1),
    })
    expect(await idsOf({ content: 'For one' })).toEqual([own.id])
    expect(await idsOf({ content: 'For all' })).toEqual([])
    expect(await duplicatesOf({ content: 'For all', account_ids: [account, other] })).toMatchObject([
      { account_id: other, post_id: own.id },
    ])
    const stranger = await withWorkspace(t)
    const theirs = { content: 'For one', account_ids: [await playgroundAccount(stranger)] }
    expect((await stranger.post('/api/v1/posts/validate', theirs)).body.duplicates).toEqual([])
  })

  test('a post that is changed is no duplicate of itself, nor of others of its recurring post', async () => {
    const { id } = await write({ content: 'Mine', scheduled_at: at(1) })
    expect(await idsOf({ content: 'Mine', post_id: id })).toEqual([])
    const series = await newRecurringPost(t, owner, { account_ids: [account], contents: ['Again'] })
    expectStatus(await owner.post('/api/v1/recurring-posts', series), 201)
    await createOccurrences(t.deps)
    const { data } = (await owner.get('/api/v1/posts?status=scheduled&search=Again')).body
    expect(data.length).toBeGreaterThan(1)
    expect(await idsOf({ content: 'Again', post_id: data[0].id })).toEqual([])
    expect((await idsOf({ content: 'Again' })).length).toBe(1)
  })

  test('a post without a text has none', async () => {
    expect(await idsOf({ content: ' ' })).toEqual([])
  })

  test('rows of an import are warned about', async () => {
    const scheduled_at = at(3)
    await write({ content: 'Fresh simit', scheduled_at })
    const file = `accounts,text,date,time\n${account},fresh SIMIT,${at(9).slice(0, 10)},10:00\n${account},Other,${at(9).slice(0, 10)},11:00\n`
    const { id } = await checkedImport(t, owner, file)
    const rows = await rowsOf(owner, id)
    expect(
      rows.map(({ problems }) => problems.map(({ code, severity }: Record<string, string>) => [code, severity])),
    ).toEqual([[['same_text', 'warning']], []])
    expect(rows[0].problems[0].message).toContain(scheduled_at.slice(0, 10))
  })
})

/** Adds 3,000 posts of the owner, each with another text for the account, and updates the statistics of the planner. */
async function manyPosts() {
  await sql`with made as (
      insert into post (workspace_id, content, status, scheduled_at)
      select ${owner.workspace_id}, 'Text ' || n, 'scheduled', ${at(1)}::timestamptz from generate_series(1, 3000) as n returning id)
    insert into post_target (post_id, account_id, position, content)
      select id, ${account}::uuid, 0, 'Own ' || id from made`.execute(t.deps.db)
  await sql`analyze post, post_target`.execute(t.deps.db)
}

test.each(['no posts', 'posts of another workspace'])(
  'many long texts for many accounts are looked up by index, also with statistics of %s',
  async (analyzed) => {
    if (analyzed !== 'no posts') {
      await manyPosts()
      owner = await withWorkspace(t)
    }
    const accounts = await Promise.all(Array.from({ length: 10 }, () => playgroundAccount(owner)))
    const text = (n: number) => `Text ${n} ${'simit '.repeat(650)}`
    await sql`with made as (
        insert into post (workspace_id, content, status, scheduled_at)
        select ${owner.workspace_id}, 'Text ' || n || ' ' || repeat('Simit ', 650), 'scheduled', ${at(1)}::timestamptz
        from generate_series(1, 500) as n returning id)
      insert into post_target (post_id, account_id, position)
        select id, account, 0 from made cross join unnest(${accounts}::uuid[]) as account`.execute(t.deps.db)
    const rows = Array.from({ length: 400 }, (_, row) => text(row + 301))
    const planned = rows.flatMap((content) =>
      accounts.map((account_id) => ({ account_id, content, time: new Date(at(2)) })),
    )
    const [found, read] = await inTransaction(t.deps.db, async (tx) => [
      await findDuplicates(tx, owner.workspace_id, planned),
      await sql<{ rows: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname in ('post', 'post_target')`.execute(tx),
    ])
    expect(found.filter(Boolean)).toHaveLength(200 * accounts.length)
    expect(found.slice(200 * accounts.length).filter(Boolean)).toEqual([])
    // A post and its target for each text that is found.
    expect(read.rows).toEqual([{ rows: 2 * 200 * accounts.length }])
  },
)

test('only the first 2,000 characters are compared', async () => {
  const begin = 'a'.repeat(2000)
  const { id } = await write({ content: `${begin} one`, scheduled_at: at(1) })
  expect(await idsOf({ content: `${begin} other` })).toEqual([id])
  expect(await idsOf({ content: `b${begin}` })).toEqual([])
})

test('the indexes find a text among many, and no table is scanned', async () => {
  await manyPosts()
  const plan = async (query: RawBuilder<unknown>) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(t.deps.db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const posts = sql`select id from post where workspace_id = ${owner.workspace_id} and deleted_at is null
    and text_key(content) = text_key('x') and scheduled_at between ${at(0)} and ${at(30)}`
  expect(await plan(posts)).toContain('post_text')
  const targets = sql`select post_id from post_target where account_id = ${account} and content is not null
    and text_key(content) = text_key('x')`
  expect(await plan(targets)).toContain('post_target_text')
})
