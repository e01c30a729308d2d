import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { failPost, postCalls, putInReview } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { create, created, inMinutes } = postCalls(() => ({ t, owner, account }))

type Listed = { data: { id: string }[] }
const isOfPosts = ({ meter }: { meter: string }) => meter.includes('posts')
const change = (id: string, body: object) => owner.patch(`/api/v1/posts/${id}`, body)

describe('POST /posts with is_idea', () => {
  test('201 keeps an idea as a draft of which nothing is checked', async () => {
    expect(await created({ content: '', is_idea: true })).toMatchObject({
      ...{ is_idea: true, status: 'draft', scheduled_at: null, warnings: [], targets: [] },
    })
    const tooLong = { content: 'a'.repeat(60_000), account_ids: [account] }
    expect((await created(tooLong)).warnings).not.toEqual([])
    expect((await created({ ...tooLong, is_idea: true })).warnings).toEqual([])
    const { body } = expectStatus(await owner.post('/api/v1/posts/validate', { ...tooLong, is_idea: true }), 200)
    expect(body.problems).toEqual([])
  })

  test('400 for an idea with a time, for now and for the queue', async () => {
    for (const time of [{ scheduled_at: inMinutes(10) }, { publish_now: true }, { queue: 'next' }]) {
      expectProblem(
        await create({ ...time, account_ids: [account], is_idea: true }),
        400,
        'validation_failed',
        '/is_idea',
      )
    }
  })

  test('400 for an account and a file that do not exist', async () => {
    const unknown = '01994f02-6a3e-7f08-9c5d-2e7b4a1d6f83'
    expectProblem(await create({ is_idea: true, account_ids: [unknown] }), 400, 'validation_failed')
    expectProblem(await create({ is_idea: true, media_ids: [unknown] }), 400, 'validation_failed')
  })
})

describe('PATCH /posts/:id of an idea', () => {
  test('200 a time turns an idea into a scheduled post, which is published', async () => {
    const { id } = await created({ is_idea: true, account_ids: [account] })
    expect((await change(id, { content: 'Bread', labels: ['new'] })).body).toMatchObject({ is_idea: true })
    const { body } = expectStatus(await change(id, { scheduled_at: inMinutes(10) }), 200)
    expect(body).toMatchObject({ is_idea: false, status: 'scheduled' })
    await t.advance(11 * 60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ is_idea: false, status: 'published' })
  })

  test('400 an idea that its networks refuse gets no time, and stays an idea', async () => {
    const { id } = await created({ is_idea: true })
    expectProblem(await change(id, { scheduled_at: inMinutes(10) }), 400, 'validation_failed')
    expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ is_idea: true, status: 'draft' })
  })

  test('200 an idea becomes a draft with its warnings, and an idea again without them', async () => {
    const { id } = await created({ is_idea: true })
    const draft = expectStatus(await change(id, { is_idea: false }), 200).body
    expect(draft).toMatchObject({ is_idea: false, status: 'draft' })
    expect(draft.warnings).toHaveLength(1)
    expect(expectStatus(await change(id, { is_idea: true }), 200).body).toMatchObject({ is_idea: true, warnings: [] })
  })

  test('200 a scheduled and a failed post become ideas without a time, and nothing is published', async () => {
    const scheduled = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    const failed = await created({ account_ids: [account], scheduled_at: inMinutes(10) })
    await failPost(t, failed.id)
    for (const { id } of [scheduled, failed])
      expect(expectStatus(await change(id, { is_idea: true }), 200).body).toMatchObject({
        ...{ is_idea: true, status: 'draft', scheduled_at: null },
      })
    await t.advance(60 * 60_000)
    await t.runJobs()
    for (const { id } of [scheduled, failed])
      expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ is_idea: true, status: 'draft' })
  })

  test('a scheduled post that becomes an idea counts no more', async () => {
    const person = await withWorkspace(t)
    const used = async () => expectStatus(await person.get('/api/v1/workspace/usage'), 200).body.meters
    const before = await used()
    const account_ids = [await playgroundAccount(person)]
    const idea = await created({ is_idea: true, account_ids }, person)
    const post = await created({ account_ids, scheduled_at: inMinutes(10) }, person)
    expectStatus(await person.patch(`/api/v1/posts/${post.id}`, { is_idea: true }), 200)
    expectStatus(await person.patch(`/api/v1/posts/${idea.id}`, { content: 'Changed' }), 200)
    expect((await used()).filter(isOfPosts)).toEqual(before.filter(isOfPosts))
  })

  test('409 a post in review cannot become an idea', async () => {
    const { id } = await created({ account_ids: [account] })
    await putInReview(t, id)
    expectProblem(await change(id, { is_idea: true }), 409, 'invalid_transition')
  })

  test('an approved post that became an idea needs its approval again', async () => {
    const person = await withWorkspace(t)
    const account_ids = [await playgroundAccount(person)]
    const post = await created({ account_ids }, person)
    const path = `/api/v1/posts/${post.id}`
    expectStatus(await person.post(`${path}/request-approval`, {}), 200)
    expectStatus(await person.post(`${path}/approve`, {}), 200)
    expect((await person.patch(path, { is_idea: true })).body).toMatchObject({ is_idea: true, review: 'none' })
    expect((await person.patch(path, { content: 'New' })).body).toMatchObject({ is_idea: true, review: 'none' })
  })

  test('403 authors change only their own ideas', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const { id } = await created({ is_idea: true })
    expectProblem(await author.patch(`/api/v1/posts/${id}`, { is_idea: false }), 403, 'forbidden_role')
  })
})

describe('other actions on an idea', () => {
  test('409 an idea is not published and not put in review', async () => {
    const { id } = await created({ is_idea: true, account_ids: [account] })
    for (const action of ['publish', 'request-approval'])
      expectProblem(await owner.post(`/api/v1/posts/${id}/${action}`, {}), 409, 'invalid_transition')
  })

  test('a node of an earlier version that schedules an idea makes it a post', async () => {
    const { id } = await created({ is_idea: true, account_ids: [account] })
    const at = new Date(t.clock.now().getTime() + 60_000)
    await t.deps.db.updateTable('post').set({ status: 'scheduled', scheduled_at: at }).where('id', '=', id).execute()
    expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ is_idea: false, status: 'scheduled' })
  })

  test('an idea that is deleted and restored is an idea', async () => {
    const { id } = await created({ is_idea: true })
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    expect(expectStatus(await owner.post(`/api/v1/posts/${id}/restore`), 200).body).toMatchObject({ is_idea: true })
  })
})

test('is_idea filters the lists, alone and with other filters', async () => {
  const person = await withWorkspace(t)
  const idea = await created({ is_idea: true, labels: ['spring'] }, person)
  const draft = await created({ labels: ['spring'] }, person)
  const ids = async (query: string, path?: string) => {
    const { data }: Listed = expectStatus(await person.get(`${path ?? '/api/v1/posts'}?${query}`), 200).body
    return data.map(({ id }) => id)
  }
  for (const path of ['/api/v1/posts', '/api/v1/posts/summaries']) {
    expect(await ids('', path)).toEqual([draft.id, idea.id])
    expect(await ids('is_idea=true', path)).toEqual([idea.id])
    expect(await ids('is_idea=true&label=spring', path)).toEqual([idea.id])
    expect(await ids('is_idea=false', path)).toEqual([draft.id])
    expect(await ids('status=draft&is_idea=false', path)).toEqual([draft.id])
    expect(await ids(`author_id=${person.id}&is_idea=true`, path)).toEqual([idea.id])
  }
  expect(await ids('updated_since=2000-01-01T00:00:00Z&is_idea=true')).toEqual([idea.id])
  expect(await ids('is_idea=true&status=scheduled')).toEqual([])
})
