import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withToken, withWorkspace } from '../../../../test/factories.ts'
import { waiting } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import { createDatabase, inTransaction } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import { emit } from '../../../lib/events/emit.ts'
import { postEvents } from '../../posts/record/posts.events.ts'
import { readPost } from '../../posts/record/select-posts.ts'

// PostgreSQL dates events by its own clock.
const t = await testApp({}, { origin: new Date() })

type Page = { data: { id: string; type: string; data: { post: { content: string } } }[]; next_cursor: string }

const poll = async (person: WorkspaceOwner, query = ''): Promise<Page & { has_more: boolean }> =>
  expectStatus(await person.get(`/api/v1/events${query}`), 200).body
const draft = async (person: WorkspaceOwner, content: string) =>
  expectStatus(await person.post('/api/v1/posts', { content }), 201).body
const contents = ({ data }: Page) => data.map((event) => event.data.post.content)
const behind = ({ next_cursor }: Page) => `?cursor=${next_cursor}`
/** Polls until there are `count` events. The horizon passes an event when its transaction has released its locks. */
async function pollFor(person: WorkspaceOwner, count: number, query = '') {
  await expect.poll(async () => (await poll(person, query)).data.length, { interval: 5 }).toBe(count)
  return poll(person, query)
}

/** Begins a transaction that writes an event and stays open until the test ends it. */
async function openEmit(person: WorkspaceOwner, content: string, { db = t.deps.db, before = sql`select` } = {}) {
  const elsewhere = await withWorkspace(t)
  const post = await readPost(t.deps.db, elsewhere, (await draft(elsewhere, content)).id)
  const by = { id: person.id, email: person.email, token_id: null }
  const written = Promise.withResolvers<void>()
  const end = Promise.withResolvers<boolean>()
  const done = inTransaction(db, async (tx) => {
    await before.execute(tx)
    await emit(tx, postEvents['post.created'], person.workspace_id, { post, by }, t.clock.now())
    written.resolve()
    if (!(await end.promise)) throw new Error('rolled back')
  })
  await written.promise
  return (commits: boolean) => {
    end.resolve(commits)
    return done.catch(() => undefined)
  }
}
describe('GET /events', () => {
  test('200 with the events of the workspace, oldest first, as a webhook gets them', async () => {
    const receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const stranger = await withWorkspace(t)
    const post = await draft(person, 'One')
    await draft(stranger, 'Of others')
    await draft(person, 'Two')
    const page = await pollFor(person, 2)
    expect(contents(page)).toEqual(['One', 'Two'])
    expect(page.data[0]).toMatchObject({
      type: 'post.created',
      timestamp: t.clock.now().toISOString(),
      workspace_id: person.workspace_id,
      data: { post },
    })
    const { payload } = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('id', '=', page.data[0]?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(page.data[0]).toEqual(JSON.parse(payload))
    receiver.close()
  })

  test('200 in pages has every event once, and the cursor of an empty page finds later events', async () => {
    const person = await withWorkspace(t)
    for (const n of [1, 2, 3, 4, 5]) await draft(person, `${n}`)
    await pollFor(person, 5)
    const first = await poll(person, '?limit=2')
    const second = await poll(person, `${behind(first)}&limit=2`)
    const third = await poll(person, `${behind(second)}&limit=2`)
    expect([first, second, third].map(contents)).toEqual([['1', '2'], ['3', '4'], ['5']])
    expect([first, second, third].map(({ has_more }) => has_more)).toEqual([true, true, false])
    const empty = await poll(person, behind(third))
    expect(empty).toMatchObject({ data: [], has_more: false })
    await draft(person, '6')
    expect(contents(await pollFor(person, 1, behind(empty)))).toEqual(['6'])
    expect(contents(await poll(person, behind(third)))).toEqual(['6'])
  })

  test('an event that is committed late is not skipped, because later ones wait for it', async () => {
    const person = await withWorkspace(t)
    await draft(person, 'Before')
    const start = await pollFor(person, 1)
    const end = await openEmit(person, 'Late')
    await draft(person, 'After')
    const meanwhile = await poll(person, behind(start))
    expect(contents(meanwhile)).toEqual([])
    await end(true)
    for (const from of [start, meanwhile])
      expect(contents(await pollFor(person, 2, behind(from)))).toEqual(['Late', 'After'])
  })

  test('an event of a transaction with another application name, or with a hidden start, is not skipped', async () => {
    const { host, port, user, password, database } = t.database.connection
    const query = new URLSearchParams({ host: host ?? '', application_name: 'else' })
    const named = createDatabase({
      connectionString: `postgres://${user}:${password}@localhost:${port}/${database}?${query}`,
    })
    try {
      const hiding = sql`set local track_activities = off`
      for (const open of [{ db: named.db }, { before: hiding }, { db: named.db, before: hiding }]) {
        const person = await withWorkspace(t)
        const start = await poll(person)
        const end = await openEmit(person, 'Late', open)
        await draft(person, 'After')
        const meanwhile = await poll(person, behind(start))
        expect(contents(meanwhile)).toEqual([])
        await end(true)
        for (const from of [start, meanwhile])
          expect(contents(await pollFor(person, 2, behind(from)))).toEqual(['Late', 'After'])
      }
    } finally {
      await named.close()
    }
  })

  test('an event that has its id but is not written yet is not skipped', async () => {
    const person = await withWorkspace(t)
    const post = await readPost(t.deps.db, person, (await draft(person, 'Late')).id)
    const start = await pollFor(person, 1)
    const by = { id: person.id, email: person.email, token_id: null }
    const { late, meanwhile } = await inTransaction(t.deps.db, async (tx) => {
      const { rows } = await sql<{ part: string }>`
        select tableoid::regclass::text as part from event where workspace_id = ${person.workspace_id}`.execute(tx)
      await sql`lock table only ${sql.table(rows[0]?.part ?? '')} in exclusive mode`.execute(tx)
      const late = inTransaction(t.deps.db, (other) =>
        emit(other, postEvents['post.created'], person.workspace_id, { post, by }, t.clock.now()),
      )
      await until(async () => expect(await waiting(t)).toBe(1))
      return { late, meanwhile: await poll(person, behind(start)) }
    })
    await late
    expect(contents(meanwhile)).toEqual([])
    expect(contents(await pollFor(person, 1, behind(meanwhile)))).toEqual(['Late'])
  })

  test('an event that is rolled back delays later ones only until then', async () => {
    const person = await withWorkspace(t)
    const start = await poll(person)
    const end = await openEmit(person, 'Never')
    await draft(person, 'After')
    expect(contents(await poll(person, behind(start)))).toEqual([])
    await end(false)
    expect(contents(await pollFor(person, 1, behind(start)))).toEqual(['After'])
  })

  test('events of a node of the former version, which takes ids from the clock, are not skipped either', async () => {
    const person = await withWorkspace(t)
    const start = await poll(person)
    const meanwhile = await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock_shared(${locks.events}, hashtext(${person.workspace_id}))`.execute(tx)
      await sql`insert into event (id, workspace_id, type, payload, created_at)
        select id, ${person.workspace_id}::uuid, 'post.created', json_build_object('id', id,
          'type', 'post.created', 'timestamp', now(), 'workspace_id', ${person.workspace_id}::text, 'data', json_build_object('post', json_build_object('content', 'Former'))), now()
        from (select uuidv7() as id) as fresh`.execute(tx)
      await draft(person, 'After')
      return poll(person, behind(start))
    })
    expect(contents(meanwhile)).toEqual([])
    expect(contents(await pollFor(person, 2, behind(meanwhile))).sort()).toEqual(['After', 'Former'])
  })

  test('clients that poll get every event once, although the clock of PostgreSQL is set back an hour', async () => {
    const person = await withWorkspace(t)
    await draft(person, 'Before')
    // An hour that the clock of events has reached, and the clock of PostgreSQL has not.
    const moveClock = (micros: number) =>
      sql`select setval('event_clock', last_value + ${micros}::bigint) from event_clock`.execute(t.deps.db)
    await moveClock(3_600_000_000)
    onTestFinished(async () => {
      await moveClock(-3_600_000_000)
    })
    await draft(person, 'Ahead')
    const ahead = await pollFor(person, 2)
    expect(contents(ahead)).toEqual(['Before', 'Ahead'])
    const empty = await poll(person, behind(ahead))
    const late = await openEmit(person, 'Late')
    await draft(person, 'Back')
    expect(contents(await poll(person, behind(empty)))).toEqual([])
    await late(true)
    for (const from of [ahead, empty])
      expect(contents(await pollFor(person, 2, behind(from)))).toEqual(['Late', 'Back'])
  })

  test('a transaction that emits in another workspace, or writes something else, delays nothing', async () => {
    const person = await withWorkspace(t)
    const end = await openEmit(await withWorkspace(t), 'Elsewhere')
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      await draft(person, 'Meanwhile')
      expect(contents(await poll(person))).toEqual(['Meanwhile'])
    })
    await end(false)
  })

  test('a transaction that only reads, such as a backup, delays nothing', async () => {
    const person = await withWorkspace(t)
    const client = await t.deps.pool.connect()
    try {
      await client.query('begin transaction isolation level repeatable read')
      await client.query('select count(*) from event')
      await draft(person, 'Meanwhile')
      expect(contents(await pollFor(person, 1))).toEqual(['Meanwhile'])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('clients that poll while events are written get every event once, in the same order', async () => {
    const person = await withWorkspace(t)
    const seen: string[] = []
    let writing = true
    const written = Promise.all(Array.from({ length: 60 }, (_, n) => draft(person, `${n}`))).finally(() => {
      writing = false
    })
    let page = await poll(person)
    seen.push(...page.data.map(({ id }) => id))
    while (writing || seen.length < 60) {
      page = await poll(person, `${behind(page)}&limit=7`)
      seen.push(...page.data.map(({ id }) => id))
    }
    await written
    expect(seen).toHaveLength(60)
    expect(seen).toEqual([...new Set(seen)].sort())
  })

  test('200 filters by type, under either of its names', async () => {
    const person = await withWorkspace(t)
    const post = await draft(person, 'Typed')
    expectStatus(await person.delete(`/api/v1/posts/${post.id}`), 204)
    await pollFor(person, 2)
    expect((await poll(person, '?type=post.deleted')).data.map(({ type }) => type)).toEqual(['post.deleted'])
    await sql`update event set type = 'post.published', payload = replace(payload, 'post.deleted', 'post.published')
      where workspace_id = ${person.workspace_id} and type = 'post.deleted'`.execute(t.deps.db)
    for (const name of ['post.published', 'publish.success'])
      expect((await poll(person, `?type=${name}`)).data.map(({ type }) => type)).toEqual(['post.published'])
    for (const name of ['post.burned', 'constructor', 'toString', '__proto__'])
      expect(await poll(person, `?type=${name}`)).toMatchObject({ data: [], has_more: false })
  })

  test('200 leaves out test events', async () => {
    const receiver = await webhookReceiver()
    const person = await withWorkspace(t)
    const { body } = expectStatus(await person.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
    expectStatus(await person.post(`/api/v1/webhooks/${body.id}/test`), 200)
    await draft(person, 'Real')
    expect(contents(await pollFor(person, 1))).toEqual(['Real'])
    for (const query of ['', '?type=webhook.test'])
      expect((await poll(person, query)).data.map(({ type }) => type)).not.toContain('webhook.test')
    receiver.close()
  })

  test('200 with the events since a time', async () => {
    const person = await withWorkspace(t)
    await draft(person, 'Old')
    await sql`update event set created_at = created_at - interval '1 hour' where workspace_id = ${person.workspace_id}`.execute(
      t.deps.db,
    )
    await draft(person, 'New')
    await pollFor(person, 2)
    const since = (ms: number) => `?since=${new Date(t.clock.now().getTime() + ms).toISOString()}`
    expect(contents(await poll(person, since(-60_000)))).toEqual(['New'])
    expect(contents(await poll(person, since(0)))).toEqual(['New'])
    expect(contents(await poll(person, since(1)))).toEqual([])
    expect(contents(await poll(person, '?since=1970-01-01T00:00:00Z'))).toEqual(['Old', 'New'])
  })

  test('200 with at most 1 MB a page, but at least one event of any size', async () => {
    const person = await withWorkspace(t)
    for (const n of [1, 2, 3]) await draft(person, `${n}`)
    await pollFor(person, 3)
    await sql`update event set payload = replace(payload, '"content":"', ${`"content":"${'x'.repeat(600_000)}`})
      where workspace_id = ${person.workspace_id}`.execute(t.deps.db)
    const first = await poll(person)
    expect(first.data).toHaveLength(1)
    expect(first.has_more).toBe(true)
    const second = await poll(person, behind(first))
    const third = await poll(person, behind(second))
    expect([second.data.length, third.data.length, third.has_more]).toEqual([1, 1, false])
  })

  test.each(['limit=0', 'limit=101', 'cursor=x', `cursor=${'x'.repeat(101)}`, 'since=yesterday', 'page=2'])(
    '400 for %s',
    async (query) => {
      const person = await withWorkspace(t)
      const pointer = `/${query.split('=')[0]}`
      expectProblem(await person.get(`/api/v1/events?${query}`), 400, 'validation_failed', pointer)
    },
  )

  test('200 for viewers and for tokens with webhooks:read, and 403 without it', async () => {
    const person = await withWorkspace(t)
    await poll(await memberOf(t, person.workspace_id, 'viewer'))
    expectStatus(await (await withToken(t, person, ['webhooks:read'])).get('/api/v1/public/events'), 200)
    const other = await withToken(t, person, ['posts:read'])
    expectProblem(await other.get('/api/v1/public/events'), 403, 'insufficient_scope')
  })
})
