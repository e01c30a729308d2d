import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { checkedImport, confirmed, rowsOf, sendImport } from '../../../../test/imports.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
let owner: WorkspaceOwner
let account: string
let handle: string
beforeAll(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
  handle = expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body.handle
})

/** A day of the year after that of the test's clock, which every other time is before. */
const year = () => t.clock.now().getUTCFullYear() + 1
const day = (number: number) => `${year()}-03-${String(number).padStart(2, '0')}`
/** The day on which clocks change in Europe, in a month from 0. */
function lastSunday(month: number) {
  const last = new Date(Date.UTC(year(), month + 1, 0))
  return new Date(last.getTime() - last.getUTCDay() * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
const file = (...lines: string[]) => `date,time,timezone,accounts,text,status\n${lines.join('\n')}\n`
const row = (number: number, text = `Post ${number}`) => `${day(number)},09:00,Europe/Istanbul,${handle},${text},`
const posts = async (who = owner) => expectStatus(await who.get('/api/v1/posts?limit=100'), 200).body.data
const emptied = async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
  handle = expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body.handle
}

describe('POST /imports', () => {
  test('201 reads a file, checks its rows and creates no post', async () => {
    await emptied()
    const record = await checkedImport(t, owner, file(row(1), row(2), row(3, '')))
    expect(record).toMatchObject({
      ...{ status: 'ready', format: 'meydan', encoding: 'utf-8', delimiter: ',', has_header: true, needs: [] },
      counts: { rows: 3, ok: 2, errors: 1 },
      problems: [{ severity: 'error', field: 'text', column: 4, code: 'too_short', count: 1 }],
    })
    expect(record.columns[4]).toEqual({ name: 'text', field: 'text', samples: ['Post 1', 'Post 2', ''] })
    const [first, , third] = await rowsOf(owner, record.id)
    expect(first).toMatchObject({
      ...{ row: 1, line: 2, state: 'ok', problems: [], post_id: null },
      post: { content: 'Post 1', account_ids: [account], scheduled_at: `${day(1)}T06:00:00.000Z` },
    })
    expect(third).toMatchObject({ row: 3, line: 4, state: 'error', problems: [{ code: 'too_short', column: 4 }] })
    expect(await posts()).toEqual([])
  })

  test('201 asks for the order of dates that can be read in both', async () => {
    const table = `Tarih;Saat;Hesap;Metin\n05/11/${year()};09:00;${handle};Bir\n06/11/${year()};09:00;${handle};İki\n`
    const record = await checkedImport(t, owner, table)
    expect(record).toMatchObject({
      ...{ status: 'mapping', needs: ['date_order'], date_order: null, suggested_date_order: 'day_first' },
      ambiguous_dates: [
        { value: `05/11/${year()}`, day_first: `${year()}-11-05`, month_first: `${year()}-05-11` },
        { value: `06/11/${year()}`, day_first: `${year()}-11-06`, month_first: `${year()}-06-11` },
      ],
    })
    const changed = await owner.patch(`/api/v1/imports/${record.id}`, { date_order: 'day_first' })
    expect(expectStatus(changed, 200).body).toMatchObject({ status: 'checking', needs: [] })
    await t.runJobs()
    const [first] = await rowsOf(owner, record.id)
    expect(first.post.scheduled_at).toBe(`${year()}-11-05T06:00:00.000Z`)
  })

  test('201 decides the order of a column by one date that has only one', async () => {
    const table = `Date,Message,Link\n05/11/${year()} 09:00,One,\n05/13/${year()} 09:00,Two,https://bakery.example\n`
    const record = await checkedImport(t, owner, table, [['account_ids', account]])
    expect(record).toMatchObject({ status: 'ready', format: 'hootsuite', date_order: 'month_first' })
    const [first, second] = await rowsOf(owner, record.id)
    expect(first.post.scheduled_at).toBe(`${year()}-05-11T06:00:00.000Z`)
    expect(second.post.content).toBe('Two https://bakery.example')
  })

  test.each([
    ['buffer', 'Text,Image URL,Tags,Posting Time', 'Simit,,spring,DAY 09:00'],
    ['publer', 'Date,Text,Link(s),Media URL(s),Title,Label(s),Alt text(s),Comment(s)', 'DAY 09:00,Simit,,,,spring,,'],
    ['metricool', 'Text,Date,Time,Draft,Playground,Picture Url 1', 'Simit,DAY,09:00:00,FALSE,TRUE,'],
    ['hootsuite', null, 'DAY 09:00,Simit,'],
    ['socialpilot', null, 'Simit,,DAY 09:00,,,spring,'],
  ])('201 knows the columns of %s', async (format, header, line) => {
    const table = `${header === null ? '' : `${header}\n`}${line.replace('DAY', day(5))}\n`
    const record = await checkedImport(t, owner, table, format === 'metricool' ? [] : [['account_ids', account]])
    expect(record).toMatchObject({ format, status: 'ready', counts: { rows: 1, ok: 1 }, has_header: header !== null })
    const [only] = await rowsOf(owner, record.id)
    expect(only.post).toMatchObject({
      content: 'Simit',
      account_ids: [account],
      scheduled_at: `${day(5)}T06:00:00.000Z`,
    })
  })

  test('201 waits for a text and accounts in a table that it does not know', async () => {
    const record = await checkedImport(t, owner, 'Ne,Nerede\nSimit,Çay\n')
    expect(record).toMatchObject({ status: 'mapping', format: 'other', needs: ['text', 'accounts'] })
    const path = `/api/v1/imports/${record.id}`
    expectProblem(await owner.patch(path, { fields: ['text', 'text'] }), 400, 'validation_failed', '/fields/1')
    expectProblem(await owner.patch(path, { fields: ['text'] }), 400, 'validation_failed', '/fields')
    const changed = await owner.patch(path, { fields: ['text', 'ignore'], account_ids: [account] })
    expect(expectStatus(changed, 200).body).toMatchObject({ status: 'checking', needs: [] })
    await t.runJobs()
    expect(await rowsOf(owner, record.id)).toMatchObject([
      { state: 'ok', post: { content: 'Simit', scheduled_at: null } },
    ])
  })

  test('201 takes a name that is no account once it is told which it is', async () => {
    const record = await checkedImport(t, owner, `text,accounts\nSimit,Fırın\nÇay,fırın\n`)
    expect(record).toMatchObject({ unknown_accounts: ['Fırın', 'fırın'], counts: { errors: 2 } })
    expect((await rowsOf(owner, record.id))[0].problems).toMatchObject([{ code: 'unknown_account', value: 'Fırın' }])
    const path = `/api/v1/imports/${record.id}`
    const foreign = await playgroundAccount(await withWorkspace(t))
    const refused = await owner.patch(path, { account_names: { Fırın: foreign } })
    expect(expectProblem(refused, 400, 'validation_failed').errors).toMatchObject([{ pointer: '/account_names' }])
    expectStatus(await owner.patch(path, { account_names: { Fırın: account } }), 200)
    await t.runJobs()
    expect((await rowsOf(owner, record.id)).map(({ state }) => state)).toEqual(['ok', 'ok'])
  })

  test('201 warns of a time that clocks skip or show twice, and names one that is past', async () => {
    const zone = 'Europe/Berlin'
    const [spring, autumn] = [lastSunday(2), lastSunday(9)]
    const lines = [`${spring},02:30`, `${autumn},02:30`, '2020-01-01,09:00', `${day(5)},10-00`, `${year()}-02-30,09:00`]
    const table = file(...lines.map((line) => `${line},${zone},${handle},Text ${line.replace(',', ' ')},`))
    const rows = await rowsOf(owner, (await checkedImport(t, owner, table)).id)
    expect(rows.map(({ problems }) => problems[0]?.code)).toEqual([
      ...['time_skipped', 'time_repeated', 'invalid', 'invalid', 'invalid'],
    ])
    expect(rows[0]).toMatchObject({ state: 'warning', post: { scheduled_at: `${spring}T01:00:00.000Z` } })
    expect(rows[1].post.scheduled_at).toBe(`${autumn}T00:30:00.000Z`)
    expect(rows[2].problems[0].message).toBe('This time is in the past.')
    expect(rows[3].problems[0]).toMatchObject({ field: 'time', column: 1, value: '10-00', suggestion: '10:00' })
    expect(rows[4].problems[0]).toMatchObject({ field: 'date', column: 0 })
  })

  test('201 warns of a text that another row or a post has for the same account and minute', async () => {
    await emptied()
    const body = { content: 'Post 3', account_ids: [account], scheduled_at: `${day(3)}T06:00:20Z` }
    expectStatus(await owner.post('/api/v1/posts', body), 201)
    const record = await checkedImport(t, owner, file(row(1), row(1), row(3), row(1, 'Another')))
    expect((await rowsOf(owner, record.id)).map(({ state }) => state)).toEqual(['ok', 'warning', 'warning', 'ok'])
    expect((await confirmed(t, owner, record.id)).counts).toMatchObject({ written: 2, warnings: 2 })
  })

  test('403 for a viewer, 404 for the import of another author', async () => {
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectProblem(await sendImport(viewer, file(row(1))), 403, 'forbidden_role')
    const [one, other] = [
      await memberOf(t, owner.workspace_id, 'author'),
      await memberOf(t, owner.workspace_id, 'author'),
    ]
    const { id } = expectStatus(await sendImport(one, file(row(1))), 201).body
    expectProblem(await other.get(`/api/v1/imports/${id}`), 404, 'not_found')
    expectProblem(await other.get(`/api/v1/imports/${id}/rows`), 404, 'not_found')
    expectProblem(await other.post(`/api/v1/imports/${id}/confirm`, { only: 'ok', as: 'draft' }), 404, 'not_found')
    expectStatus(await owner.get(`/api/v1/imports/${id}`), 200)
    expect((await other.get('/api/v1/imports')).body.data).toEqual([])
    expect((await one.get('/api/v1/imports')).body.data).toMatchObject([{ id }])
  })

  test('403 after 20 imports within a day, until one is deleted', async () => {
    const owner = await withWorkspace(t)
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push(expectStatus(await sendImport(owner, file(row(1))), 201).body.id)
    expectProblem(await sendImport(owner, file(row(1))), 403, 'limit_exceeded')
    expectStatus(await owner.delete(`/api/v1/imports/${ids[0]}`), 204)
    expectStatus(await sendImport(owner, file(row(1))), 201)
  })
})

describe('rows with ideas', () => {
  test('a date is left out with a warning, and a row without text is an error', async () => {
    const person = await withWorkspace(t)
    const dated = `${day(3)},09:00,Europe/Istanbul,${await playgroundAccount(person)},Bake more,idea`
    const { id } = await checkedImport(t, person, file(dated, dated, ',,,,Only a thought,idea', ',,,,,fikir'))
    const rows = await rowsOf(person, id)
    const found = rows.map(({ state, post, problems }) => [
      state,
      post.scheduled_at,
      problems.map(({ field, code }: Record<string, string>) => `${field} ${code}`),
    ])
    expect(found).toEqual([
      ['warning', null, ['date idea_without_time']],
      ['warning', null, ['date idea_without_time']],
      ['ok', null, []],
      ['error', null, ['text required']],
    ])
  })
})

describe('PATCH /imports/:id/rows/:row', () => {
  test('200 with the row checked again', async () => {
    await emptied()
    const { id } = await checkedImport(t, owner, file(row(1, ''), row(2)))
    const path = `/api/v1/imports/${id}/rows/1`
    const cells = row(1, 'Mended').split(',')
    expect(expectStatus(await owner.patch(path, { cells }), 200).body).toMatchObject({
      ...{ row: 1, state: 'ok', problems: [], cells, post: { content: 'Mended' } },
    })
    expect(expectStatus(await owner.patch(path, { skip: true }), 200).body.state).toBe('skipped')
    expectProblem(await owner.patch(path, { cells: Array(7).fill('x') }), 400, 'validation_failed', '/cells')
    expectProblem(await owner.patch(`/api/v1/imports/${id}/rows/3`, { skip: true }), 404, 'not_found')
    expect((await confirmed(t, owner, id)).counts).toMatchObject({ written: 1, skipped: 1 })
    expectProblem(await owner.patch(path, { skip: false }), 409, 'invalid_transition')
  })
})

describe('POST /imports/:id/confirm', () => {
  test('200 makes each row a post of its own, as POST /posts would', async () => {
    await emptied()
    const { id } = await checkedImport(
      t,
      owner,
      file(row(1), row(2, '"Two, and more"'), `,,,${handle},An idea,draft`, `${row(4)}onay`),
    )
    const record = await confirmed(t, owner, id)
    expect(record).toMatchObject({ status: 'done', to_write: 4, written_as: 'scheduled', counts: { written: 4 } })
    const written = await posts()
    expect(written.map((post: Record<string, string>) => [post.content, post.status, post.review])).toEqual([
      ...[
        ['Post 4', 'draft', 'pending'],
        ['An idea', 'draft', 'none'],
        ['Two, and more', 'scheduled', 'none'],
      ],
      ['Post 1', 'scheduled', 'none'],
    ])
    expect(written[0].review_scheduled_at).toBe(`${day(4)}T06:00:00.000Z`)
    expect(written[3]).toMatchObject({ scheduled_at: `${day(1)}T06:00:00.000Z`, author_id: owner.id, warnings: [] })
    expect(written[3].targets).toMatchObject([{ account_id: account, status: 'pending' }])
    const rows = await rowsOf(owner, id)
    expect(rows.map(({ post_id }) => post_id).toSorted()).toEqual(
      written.map(({ id }: { id: string }) => id).toSorted(),
    )
    const queued = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key = ${`publish:${written[3].targets[0].id}`}`.execute(t.deps.db)
    expect(queued.rows).toEqual([{ run_at: new Date(`${day(1)}T06:00:00Z`) }])
  })

  test('200 puts posts in review where a policy asks for it', async () => {
    await emptied()
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', { mode: 'one' }), 200)
    const { id } = await checkedImport(t, owner, file(row(1)))
    await confirmed(t, owner, id)
    expect(await posts()).toMatchObject([
      { status: 'draft', review: 'pending', scheduled_at: null, review_scheduled_at: `${day(1)}T06:00:00.000Z` },
    ])
  })

  test('200 notifies the approvers of all posts in review with one entry, and not the member who confirmed', async () => {
    await emptied()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const policy = { mode: 'one', own_posts: true }
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', policy), 200)
    const { id } = await checkedImport(t, owner, file(row(1), row(2), row(3)))
    await confirmed(t, owner, id)
    const seenBy = async (who: WorkspaceOwner) => expectStatus(await who.get('/api/v1/me/notifications'), 200).body.data
    expect(await seenBy(owner)).toEqual([])
    expect(await seenBy(editor)).toMatchObject([
      { kind: 'review.requested', count: 3, subjects: 3, actor: { id: owner.id } },
    ])
  })

  test('409 twice, and 412 for another version', async () => {
    await emptied()
    const { id } = await checkedImport(t, owner, file(row(1)))
    const path = `/api/v1/imports/${id}/confirm`
    const body = { only: 'ok', as: 'draft' }
    expectProblem(await owner.post(path, body, { 'if-match': '"1"' }), 412, 'version_conflict')
    const etag = (await owner.get(`/api/v1/imports/${id}`)).headers.get('etag') ?? ''
    expectStatus(await owner.post(path, body, { 'if-match': etag }), 200)
    expectProblem(await owner.post(path, body), 409, 'invalid_transition')
  })

  test('400 when no row can become a post', async () => {
    const { id } = await checkedImport(t, owner, file(row(1, '')))
    expectProblem(
      await owner.post(`/api/v1/imports/${id}/confirm`, { only: 'all', as: 'draft' }),
      400,
      'validation_failed',
      '/only',
    )
  })

  test('a member who lost the role creates nothing', async () => {
    await emptied()
    const author = await memberOf(t, owner.workspace_id, 'author')
    const { id } = await checkedImport(t, author, file(row(1)))
    expectStatus(await author.post(`/api/v1/imports/${id}/confirm`, { only: 'ok', as: 'draft' }), 200)
    await changeRole(t, author, 'viewer')
    await t.runJobs()
    expect(expectStatus(await owner.get(`/api/v1/imports/${id}`), 200).body).toMatchObject({
      ...{ status: 'done', counts: { written: 0, errors: 1 }, problems: [{ code: 'forbidden_role' }] },
    })
    expect(await posts()).toEqual([])
  })
})

describe('POST /imports/:id/undo', () => {
  test('200 deletes the posts that did not go out, within a day', async () => {
    await emptied()
    const { id } = await checkedImport(t, owner, file(row(1), row(2), row(3)))
    expectProblem(await owner.post(`/api/v1/imports/${id}/undo`), 409, 'invalid_transition')
    await confirmed(t, owner, id)
    const [first] = await rowsOf(owner, id)
    expectStatus(await owner.post(`/api/v1/posts/${first.post_id}/publish`), 200)
    await t.runJobs()
    expectStatus(await owner.post(`/api/v1/imports/${id}/undo`), 200)
    await t.runJobs()
    const record = expectStatus(await owner.get(`/api/v1/imports/${id}`), 200).body
    expect(record).toMatchObject({ status: 'undone', counts: { kept: 1, undone: 2, written: 0 }, undo_until: null })
    expect(await posts()).toMatchObject([{ id: first.post_id, status: 'published' }])
  })

  test('409 a day later', async () => {
    await emptied()
    const { id } = await checkedImport(t, owner, file(row(1)))
    expect((await confirmed(t, owner, id)).undo_until).not.toBeNull()
    t.advance(24 * 3600 * 1000 + 1000)
    expectProblem(await owner.post(`/api/v1/imports/${id}/undo`), 409, 'invalid_transition')
  })
})

describe('GET /imports/template.csv and GET /posts/export.csv', () => {
  test.each(['en', 'tr'])('200 with samples that can be imported, in %s', async (language) => {
    await emptied()
    const query = language === 'tr' ? '?language=tr&separator=semicolon' : ''
    const template = expectStatus(await owner.get(`/api/v1/imports/template.csv${query}`), 200).body
    const record = await checkedImport(t, owner, template)
    expect(record).toMatchObject({ status: 'ready', counts: { rows: 3, ok: 3 } })
    expect(record.columns.map(({ field }: { field: string }) => field)).not.toContain('ignore')
  })

  test('200 with posts that can be imported again', async () => {
    await emptied()
    const labels = ['spring', 'tea']
    const kept = { content: 'Simit, "fresh"\nand tea', account_ids: [account], labels, first_comment: 'Until ten' }
    expectStatus(await owner.post('/api/v1/posts', { ...kept, scheduled_at: `${day(5)}T06:00:00Z` }), 201)
    expectStatus(await owner.post('/api/v1/posts', { content: '=1+1', account_ids: [account] }), 201)
    const { body, headers } = await owner.get('/api/v1/posts/export.csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(body).toContain(`${day(5)},09:00,Europe/Istanbul,playground:${handle},"Simit, ""fresh""`)
    expect(body).toContain("'=1+1")
    const { id } = await checkedImport(t, owner, body)
    const [first, second] = await rowsOf(owner, id)
    expect(first).toMatchObject({ state: 'warning', post: { ...kept, scheduled_at: `${day(5)}T06:00:00.000Z` } })
    expect(second).toMatchObject({ state: 'ok', post: { content: "'=1+1", status: 'draft' } })
    const span = `?from=${day(1)}T00:00:00Z&to=${day(9)}T00:00:00Z`
    expect((await owner.get(`/api/v1/posts/export.csv${span}`)).body).not.toContain('=1+1')
    const since = await owner.get('/api/v1/posts/export.csv?from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59')
    expect(expectStatus(since, 200).body).toContain('Simit')
  })

  test('200 with all posts of a period in the order of their times, planned and waiting for approval', async () => {
    await emptied()
    const rows = Array.from({ length: 225 }, (_, n) => row(1 + ((n * 11) % 28), `Post ${n}`) + (n % 3 ? '' : 'review'))
    await confirmed(t, owner, (await checkedImport(t, owner, file(...rows))).id)
    const exported = async (query = '') =>
      (expectStatus(await owner.get(`/api/v1/posts/export.csv${query}`), 200).body as string)
        .trim()
        .split('\r\n')
        .slice(1)
    const all = await exported()
    expect(all).toHaveLength(225)
    expect(all.filter((line) => line.includes(',review,'))).toHaveLength(75)
    const dateOf = (line: string) => line.slice(0, 10)
    const inMonth = await exported(`?from=${day(5)}T00:00:00Z&to=${day(20)}T00:00:00Z`)
    expect(inMonth.map(dateOf)).toEqual(inMonth.map(dateOf).toSorted())
    expect(inMonth.toSorted()).toEqual(
      all.filter((line) => dateOf(line) >= day(5) && dateOf(line) < day(20)).toSorted(),
    )
  })
})

describe('a token', () => {
  test('imports with posts:write only', async () => {
    await emptied()
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.get('/api/v1/public/imports'), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['posts:write'])
    expectStatus(await writer.get('/api/v1/public/imports'), 200)
  })
})
