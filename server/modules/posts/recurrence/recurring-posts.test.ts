import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import {
  localIn,
  newRecurringPost,
  occurrencesOf,
  postsOf,
  readRecurringPost,
  recurringPost,
} from '../../../../test/recurring-posts.ts'
import { createOccurrences } from './create-occurrences.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const PATH = '/api/v1/recurring-posts'
const make = (more: object = {}) => newRecurringPost(t, owner, { account_ids: [account], ...more })
const create = async (more: object = {}, person: WorkspaceOwner = owner) => person.post(PATH, await make(more))
const isoIn = (days: number) => `${localIn(t, days)}:00.000Z`
const instants = (days: number[]) => days.map(isoIn)

describe('a recurring post', () => {
  test('it is stored with its rule in capitals, and shows its next ten occurrences', async () => {
    const made = expectStatus(await create({ rule: 'RRULE:freq=daily', labels: ['menu'] }), 201).body
    expect(made).toMatchObject({ rule: 'FREQ=DAILY', status: 'active', labels: ['menu'], author_id: owner.id })
    expect(made.variants).toMatchObject([{ content: 'Open from seven.', targets: [{ account_id: account }] }])
    const times = made.next_occurrences.map(({ occurs_at }: { occurs_at: string }) => occurs_at)
    expect(times).toEqual(instants([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
    expect((await owner.get(`${PATH}/${made.id}`)).body).toEqual(made)
    expect((await owner.get(PATH)).body.data[0]).toEqual(made)
  })

  test('its zone is that of the workspace by default', async () => {
    const { timezone } = (await owner.get('/api/v1/workspace')).body
    expect(expectStatus(await create({ timezone: undefined }), 201).body.timezone).toBe(timezone)
  })

  test('its posts of the next seven days are scheduled posts of their own, and name it', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account], labels: ['menu'] })
    const posts = await postsOf(owner, id)
    expect(posts.map(({ scheduled_at }) => scheduled_at)).toEqual(
      instants([1, 2, 3, 4, 5, 6, 7]).slice(0, posts.length),
    )
    expect(posts.length).toBeGreaterThanOrEqual(6)
    expect(posts[0]).toMatchObject({ status: 'scheduled', labels: ['menu'], author_id: owner.id })
    const { next_occurrences } = await readRecurringPost(owner, id)
    expect(next_occurrences[0]).toEqual({ occurs_at: isoIn(1), post_id: posts[0]?.id })
    const { data } = (await owner.get(`/api/v1/posts/summaries?from=${isoIn(1)}`)).body
    expect(data.some((post: { recurring_post_id: string }) => post.recurring_post_id === id)).toBe(true)
    const created = (await owner.get('/api/v1/workspace/audit-log?action=post.created')).body.data
    expect(created.some(({ target_id }: { target_id: string }) => target_id === posts[0]?.id)).toBe(true)
  })

  test('its variants take turns', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account], contents: ['A', 'B', 'C'] })
    const texts = (await postsOf(owner, id)).map(({ content }) => content)
    expect(texts.slice(0, 6)).toEqual(['A', 'B', 'C', 'A', 'B', 'C'])
  })

  test('shuffled variants come once each before any comes again, never twice in a row, and the same after a change', async () => {
    const contents = ['A', 'B', 'C']
    const { id } = await recurringPost(t, owner, { account_ids: [account], contents, variant_order: 'shuffled' })
    const texts = async () => (await postsOf(owner, id)).map(({ content }) => content)
    const before = await texts()
    expect(before.slice(0, 3).toSorted()).toEqual(contents)
    expect(before.slice(3, 6).toSorted()).toEqual(contents)
    expect(before[2]).not.toBe(before[3])
    expectStatus(await owner.patch(`${PATH}/${id}`, { labels: ['new'] }), 200)
    await createOccurrences(t.deps)
    expect(await texts()).toEqual(before)
    const changed = expectStatus(await owner.patch(`${PATH}/${id}`, { variant_order: 'in_order' }), 200).body
    expect(changed.variant_order).toBe('in_order')
  })

  test('it ends with its rule', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account], rule: 'FREQ=DAILY;COUNT=2' })
    expect((await postsOf(owner, id)).length).toBe(2)
    const { next_occurrences, status } = await readRecurringPost(owner, id)
    expect([next_occurrences.length, status]).toEqual([2, 'active'])
    await t.deps.db
      .updateTable('recurring_post')
      .set({ starts_at: localIn(t, -9) })
      .where('id', '=', id)
      .execute()
    expect(await readRecurringPost(owner, id)).toMatchObject({ status: 'ended', next_occurrences: [] })
  })

  test('400 names the field that cannot be', async () => {
    const refuse = async (more: object, pointer: string) =>
      expectProblem(await create(more), 400, 'validation_failed', pointer)
    for (const rule of [
      ...[
        'FREQ=HOURLY',
        'FREQ=SECONDLY;COUNT=9',
        'INTERVAL=2;BYDAY=MO',
        'FREQ=DAILY;BYHOUR=9',
        'FREQ=DAILY;COUNT=5000',
      ],
      ...[
        'FREQ=DAILY;COUNT=2;UNTIL=20300101',
        'FREQ=WEEKLY;BYDAY=2MO',
        'FREQ=WEEKLY;BYMONTHDAY=1',
        'FREQ=DAILY;FREQ=DAILY',
      ],
      ...[
        'FREQ=MONTHLY;BYSETPOS=1',
        'FREQ=DAILY;UNTIL=20300231',
        'FREQ=DAILY;UNTIL=20200101',
        'FREQ=DAILY;INTERVAL=401',
      ],
      ...['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;;'],
    ])
      await refuse({ rule }, '/rule')
    await refuse({ starts_at: '2027-02-30T09:00' }, '/starts_at')
    await refuse({ starts_at: '2099-01-01T09:00' }, '/starts_at')
    await refuse({ timezone: 'Mars/Olympus' }, '/timezone')
    await refuse({ variants: [] }, '/variants')
    await refuse({ variants: [{ content: 'Hello', account_ids: [account] }, { content: 'Hi' }] }, '/variants/1/targets')
    const twice = [{ content: 'Hello', account_ids: [account, account.toUpperCase()] }]
    await refuse({ variants: twice }, '/variants/0/account_ids/1')
    const thread = Array.from({ length: 20 }, () => ({ content: 'x'.repeat(4000) }))
    const long = { content: 'Hello', thread, account_ids: [account] }
    await refuse({ variants: [long, long] }, '/variants')
  })

  test('403 beyond 100 in a workspace', async () => {
    const other = await withWorkspace(t)
    const row = { workspace_id: other.workspace_id, rule: 'FREQ=DAILY', starts_at: '2026-01-01T09:00', timezone: 'UTC' }
    const rows = Array.from({ length: 100 }, () => ({ ...row, variants: '[]' }))
    await t.deps.db.insertInto('recurring_post').values(rows).execute()
    const body = await newRecurringPost(t, other)
    expectProblem(await other.post(PATH, body), 403, 'limit_exceeded')
  })

  test('a preview returns ten times and keeps nothing', async () => {
    const before = (await owner.get(`${PATH}?limit=100`)).body.data.length
    const input = { rule: 'FREQ=WEEKLY;BYDAY=SU', starts_at: '2036-03-23T09:00', timezone: 'Europe/Berlin' }
    const { body } = expectStatus(await owner.post(`${PATH}/preview`, input), 200)
    expect(body.occurrences.length).toBe(10)
    expect(body.occurrences.slice(0, 2)).toEqual(['2036-03-23T08:00:00.000Z', '2036-03-30T07:00:00.000Z'])
    expectProblem(
      await owner.post(`${PATH}/preview`, { ...input, rule: 'FREQ=HOURLY' }),
      400,
      'validation_failed',
      '/rule',
    )
    expect((await owner.get(`${PATH}?limit=100`)).body.data.length).toBe(before)
  })

  test('a preview reads a text in either language, and says what it means', async () => {
    const preview = (body: object) => owner.post(`${PATH}/preview`, { timezone: 'Europe/Istanbul', ...body })
    const read = expectStatus(await preview({ text: 'every second Tuesday at 09:00 from 2036-03-04 until June' }), 200)
    expect(read.body).toMatchObject({
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20360531',
      rule_text: {
        en: 'every 2 weeks on Tuesday at 09:00 until 31 May 2036',
        tr: '2 haftada bir salı saat 09:00, 31 Mayıs 2036 tarihine kadar',
      },
      starts_at: '2036-03-04T09:00',
      last_occurs_at: '2036-05-27T06:00:00.000Z',
    })
    expect(read.body.occurrences.length).toBe(7)
    const { tr } = read.body.rule_text
    const again = expectStatus(await preview({ text: tr, starts_at: '2036-03-04T12:00' }), 200).body
    expect(again).toEqual(read.body)
    const made = expectStatus(await create({ rule: again.rule, starts_at: again.starts_at }), 201).body
    expect(made.rule_text).toEqual(again.rule_text)
    const plain = expectStatus(await preview({ text: 'her gün' }), 200).body
    expect(plain.starts_at).toMatch(/T09:00$/)
    const refused = expectProblem(await preview({ text: 'every Monday banana' }), 400, 'validation_failed', '/text')
    expect(refused.errors[0].message).toBe('“banana” was not understood.')
    const unclear = expectProblem(await preview({ text: 'her ikinci salı' }), 400, 'validation_failed', '/text')
    expect(unclear.errors[0].translations.tr).toContain('“2 haftada bir salı” ya da “her ayın ikinci salı günü”')
    for (const body of [{}, { text: 'daily', rule: 'FREQ=DAILY' }])
      expectProblem(await preview(body), 400, 'validation_failed', '/rule')
    expectProblem(await preview({ rule: 'FREQ=DAILY' }), 400, 'validation_failed', '/starts_at')
    expectProblem(await preview({ text: 'daily', timezone: 'Mars/Olympus' }), 400, 'validation_failed', '/timezone')
  })

  test('a preview says whether a text returns within three days, by the number of variants', async () => {
    const repeats = async (rule: string, variants?: number) => {
      const times = { starts_at: '2036-03-23T09:00', timezone: 'Europe/Berlin', rule }
      return expectStatus(await owner.post(`${PATH}/preview`, { ...times, variants }), 200).body.repeats_text
    }
    expect(await repeats('FREQ=DAILY')).toBe(true)
    expect(await repeats('FREQ=DAILY', 3)).toBe(true)
    expect(await repeats('FREQ=DAILY', 4)).toBe(false)
    expect(await repeats('FREQ=WEEKLY;BYDAY=MO,WE')).toBe(true)
    expect(await repeats('FREQ=WEEKLY')).toBe(false)
    expect(await repeats('FREQ=DAILY;COUNT=1')).toBe(false)
  })

  test('409 keeps a file that it has from being deleted', async () => {
    const { id: file } = await uploaded(owner)
    const variants = [{ content: 'With an image', media_ids: [file], account_ids: [account] }]
    const { id } = expectStatus(await create({ variants }), 201).body
    const refused = expectProblem(await owner.delete(`/api/v1/media/${file}`), 409, 'media_in_use')
    expect(refused.recurring_post_ids).toEqual([id])
  })
})

describe('changes', () => {
  test('a change replaces the posts to come that nobody edited, and keeps the edited one', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account], contents: ['A', 'B'] })
    const [, second] = await postsOf(owner, id)
    expectStatus(await owner.patch(`/api/v1/posts/${second?.id}`, { content: 'Edited' }), 200)
    const variants = [{ content: 'New', account_ids: [account] }]
    expectStatus(await owner.patch(`${PATH}/${id}`, { variants }), 200)
    await createOccurrences(t.deps)
    const posts = await postsOf(owner, id)
    expect(posts.slice(0, 4).map(({ content }) => content)).toEqual(['New', 'Edited', 'New', 'New'])
    expect(new Set(posts.map(({ scheduled_at }) => scheduled_at)).size).toBe(posts.length)
    const { data } = (await owner.get('/api/v1/events?type=post.deleted&limit=100')).body
    expect(
      data.filter(
        (event: { data: { post: { recurring_post_id: string } } }) => event.data.post.recurring_post_id === id,
      ).length,
    ).toBeGreaterThanOrEqual(5)
  })

  test('another rule moves the posts to come', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account] })
    const changed = expectStatus(await owner.patch(`${PATH}/${id}`, { rule: 'FREQ=DAILY;INTERVAL=3' }), 200).body
    expect(changed.next_occurrences[1].occurs_at).toBe(isoIn(4))
    await createOccurrences(t.deps)
    const times = (await postsOf(owner, id)).map(({ scheduled_at }) => scheduled_at)
    expect(times.slice(0, 2)).toEqual(instants([1, 4]))
    expect(times.length).toBeLessThan(4)
  })

  test('another time of day or zone keeps the days that were skipped, edited or deleted', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account] })
    const posts = await postsOf(owner, id)
    expectStatus(await owner.post(`${PATH}/${id}/skip`, { occurs_at: isoIn(2) }), 200)
    expectStatus(await owner.patch(`/api/v1/posts/${posts[2]?.id}`, { content: 'Edited' }), 200)
    expectStatus(await owner.delete(`/api/v1/posts/${posts[3]?.id}`), 204)
    const timesAfter = async (change: object) => {
      expectStatus(await owner.patch(`${PATH}/${id}`, change), 200)
      await createOccurrences(t.deps)
      return (await postsOf(owner, id)).map(({ scheduled_at }) => scheduled_at).slice(0, 3)
    }
    const at = (days: number, time: string) => `${localIn(t, days, time)}:00.000Z`
    expect(await timesAfter({ starts_at: localIn(t, 1, '15:30') })).toEqual([
      ...[at(1, '15:30'), isoIn(3), at(5, '15:30')],
    ])
    // 15:30 in Honolulu is 01:30 of the next day in UTC.
    expect(await timesAfter({ timezone: 'Pacific/Honolulu' })).toEqual([at(2, '01:30'), isoIn(3), at(6, '01:30')])
    expect(await timesAfter({ timezone: 'UTC', starts_at: localIn(t, 1) })).toEqual([isoIn(1), isoIn(3), isoIn(5)])
  })

  test('a post that a member deleted is not created again', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account] })
    const [first] = await postsOf(owner, id)
    expectStatus(await owner.delete(`/api/v1/posts/${first?.id}`), 204)
    await createOccurrences(t.deps)
    expect((await postsOf(owner, id))[0]?.scheduled_at).toBe(isoIn(2))
    expect((await readRecurringPost(owner, id)).next_occurrences[0].occurs_at).toBe(isoIn(2))
  })

  test('a pause removes the posts to come, and its end brings them back', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account], contents: ['A', 'B'] })
    const before = await postsOf(owner, id)
    const paused = expectStatus(await owner.post(`${PATH}/${id}/pause`), 200).body
    expect(paused).toMatchObject({ status: 'paused', pause_reason: 'by_member', next_occurrences: [] })
    expectProblem(await owner.post(`${PATH}/${id}/pause`), 409, 'invalid_transition')
    await createOccurrences(t.deps)
    expect(await postsOf(owner, id)).toEqual([])
    expectStatus(await owner.patch(`${PATH}/${id}`, { labels: ['later'] }), 200)
    await createOccurrences(t.deps)
    expect(await postsOf(owner, id)).toEqual([])
    expect(expectStatus(await owner.post(`${PATH}/${id}/resume`), 200).body.status).toBe('active')
    expectProblem(await owner.post(`${PATH}/${id}/resume`), 409, 'invalid_transition')
    await createOccurrences(t.deps)
    const after = await postsOf(owner, id)
    const shown = ({ scheduled_at, content }: { scheduled_at: string; content: string }) => [scheduled_at, content]
    expect(after.map(shown)).toEqual(before.map(shown))
  })

  test('deleting it removes the posts to come that nobody edited, and leaves the others', async () => {
    const { id } = await recurringPost(t, owner, { account_ids: [account] })
    const [first] = await postsOf(owner, id)
    expectStatus(await owner.patch(`/api/v1/posts/${first?.id}`, { content: 'Edited' }), 200)
    expectStatus(await owner.delete(`${PATH}/${id}`), 204)
    expectProblem(await owner.get(`${PATH}/${id}`), 404, 'not_found')
    expect(await postsOf(owner, id)).toEqual([])
    const kept = expectStatus(await owner.get(`/api/v1/posts/${first?.id}`), 200).body
    expect(kept).toMatchObject({ content: 'Edited', status: 'scheduled', recurring_post_id: null })
  })

  test('412 refuses a change of an older version; creating posts makes no new one', async () => {
    const { id } = expectStatus(await create(), 201).body
    const etag = (await owner.get(`${PATH}/${id}`)).headers.get('etag') ?? ''
    await createOccurrences(t.deps)
    const change = () => owner.patch(`${PATH}/${id}`, { labels: ['new'] }, { 'if-match': etag })
    expectStatus(await change(), 200)
    expectProblem(await change(), 412, 'version_conflict')
  })
})

describe('rights', () => {
  test('viewers read, authors change only their own, editors change all', async () => {
    const [viewer, author, other, editor] = await Promise.all(
      (['viewer', 'author', 'author', 'editor'] as const).map((role) => memberOf(t, owner.workspace_id, role)),
    )
    if (!viewer || !author || !other || !editor) throw new Error('No members')
    expectProblem(await create({}, viewer), 403, 'forbidden_role')
    const { id } = expectStatus(await create({}, author), 201).body
    expectStatus(await viewer.get(`${PATH}/${id}`), 200)
    expectStatus(await viewer.get(`${PATH}/${id}/occurrences`), 200)
    for (const person of [viewer, other]) {
      expectProblem(await person.patch(`${PATH}/${id}`, { labels: ['x'] }), 403, 'forbidden_role')
      expectProblem(await person.post(`${PATH}/${id}/pause`), 403, 'forbidden_role')
      expectProblem(await person.delete(`${PATH}/${id}`), 403, 'forbidden_role')
    }
    await createOccurrences(t.deps)
    expect((await postsOf(owner, id))[0]).toMatchObject({ author_id: author.id })
    expectStatus(await author.patch(`${PATH}/${id}`, { labels: ['x'] }), 200)
    expectStatus(await editor.delete(`${PATH}/${id}`), 204)
  })

  test('a token needs posts:write', async () => {
    const reader = await withToken(t, owner, ['posts:read'])
    const path = PATH.replace('/api/v1', '/api/v1/public')
    expectStatus(await reader.get(path), 200)
    expectProblem(await reader.post(path, await make()), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['posts:read', 'posts:write'])
    expectStatus(await writer.post(path, await make()), 201)
  })

  test('404 for other workspaces, and 400 for their accounts', async () => {
    const { id } = expectStatus(await create(), 201).body
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(`${PATH}/${id}`), 404, 'not_found')
    expectProblem(await stranger.get(`${PATH}/${id}/occurrences`), 404, 'not_found')
    expectProblem(await stranger.patch(`${PATH}/${id}`, { labels: ['x'] }), 404, 'not_found')
    expectProblem(await stranger.post(`${PATH}/${id}/pause`), 404, 'not_found')
    expectProblem(await stranger.delete(`${PATH}/${id}`), 404, 'not_found')
    expectProblem(await stranger.post(PATH, await make()), 400, 'validation_failed', '/variants/0/account_ids/0')
    expect((await stranger.get(PATH)).body.data).toEqual([])
    expect((await occurrencesOf(owner, id)).length).toBeGreaterThanOrEqual(0)
  })
})
