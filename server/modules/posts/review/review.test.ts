import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { failPost, postCalls, putInReview, writeForReview } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { created, inMinutes } = postCalls(() => ({ t, owner, account }))
const inReview = async (at: string | null = null, content = 'Hello') => {
  const { id } = await created({ account_ids: [account], content })
  await putInReview(t, id, at)
  return `/api/v1/posts/${id}`
}
const approve = (path: string, body: object = {}) => owner.post(`${path}/approve`, body)
const reject = (path: string, reason = 'We do not open on Mondays.') => owner.post(`${path}/reject`, { reason })
const eventsOf = async (path: string) => {
  const events: { type: string; data: { post?: { id: string } } }[] = []
  for (let cursor = ''; ; ) {
    const { body } = expectStatus(await owner.get(`/api/v1/events?limit=100${cursor}`), 200)
    if (body.data.length === 0) break
    events.push(...body.data)
    cursor = `&cursor=${body.next_cursor}`
  }
  return events
    .filter(({ type, data }) => type.startsWith('post.review.') && path.endsWith(data.post?.id ?? '-'))
    .map(({ type }) => type)
}

describe('a post in review', () => {
  test('409 refuses to publish it, and a time that is set for it is kept until it is approved', async () => {
    const path = await inReview()
    expectProblem(await owner.post(`${path}/publish`), 409, 'post_not_approved')
    const at = inMinutes(10)
    const changed = expectStatus(await owner.patch(path, { content: 'Better', scheduled_at: at }), 200).body
    expect(changed).toMatchObject({
      content: 'Better',
      status: 'draft',
      scheduled_at: null,
      review: 'pending',
      review_scheduled_at: at,
    })
    await t.advance(11 * 60_000)
    await t.runJobs()
    expect((await owner.get(path)).body).toMatchObject({ status: 'draft', review: 'pending' })
  })

  test('it is announced by an event when it is written', async () => {
    const { id } = await writeForReview(t, owner, 'Written')
    expect(await eventsOf(id)).toEqual(['post.review.requested'])
  })

  test('GET /posts/counts counts it, and GET /posts/summaries?review= lists it with its time', async () => {
    const colleague = await withWorkspace(t)
    const { id } = expectStatus(await colleague.post('/api/v1/posts', { content: 'Waiting' }), 201).body
    const waiting = async () => [
      expectStatus(await colleague.get('/api/v1/posts/counts'), 200).body.in_review,
      expectStatus(await colleague.get('/api/v1/posts/summaries?review=pending'), 200).body.data,
    ]
    expect(await waiting()).toEqual([0, []])
    await putInReview(t, id)
    const at = inMinutes(10)
    expectStatus(await colleague.patch(`/api/v1/posts/${id}`, { scheduled_at: at }), 200)
    expect(await waiting()).toMatchObject([1, [{ id, scheduled_at: null, review_scheduled_at: at }]])
    expectStatus(await colleague.post(`/api/v1/posts/${id}/reject`, { reason: 'Too late.' }), 200)
    expect(await waiting()).toEqual([0, []])
  })

  test('GET /posts?review= returns only the posts with this review, a page after the other', async () => {
    const colleague = await withWorkspace(t)
    const ids: string[] = []
    for (const content of ['1', '2', '3']) {
      const { body } = expectStatus(await colleague.post('/api/v1/posts', { content }), 201)
      await putInReview(t, body.id)
      ids.unshift(body.id)
    }
    expectStatus(await colleague.post('/api/v1/posts', { content: 'Of a member' }), 201)
    const first = expectStatus(await colleague.get('/api/v1/posts?review=pending&limit=2'), 200).body
    const rest = await colleague.get(`/api/v1/posts?review=pending&limit=2&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.body.data].map(({ id }) => id)).toEqual(ids)
    expect(rest.body.next_cursor).toBeNull()
    expect((await colleague.get('/api/v1/posts?review=rejected')).body.data).toEqual([])
    expect((await colleague.get('/api/v1/posts?review=pending&status=scheduled')).body.data).toEqual([])
  })
})

describe('POST /posts/:id/approve', () => {
  test('200 schedules the post for its planned time, and it is published then', async () => {
    const at = inMinutes(10)
    const path = await inReview(at)
    const post = expectStatus(await approve(path), 200).body
    expect(post).toMatchObject({
      status: 'scheduled',
      scheduled_at: at,
      review: 'approved',
      review_scheduled_at: null,
      updated_by_id: null,
    })
    expect(await eventsOf(path)).toEqual(['post.review.approved'])
    await t.advance(10 * 60_000)
    await t.runJobs()
    expect((await owner.get(path)).body.status).toBe('published')
  })

  test('200 without a planned time leaves a draft, which can then be published', async () => {
    const path = await inReview()
    expect(expectStatus(await approve(path), 200).body).toMatchObject({ status: 'draft', review: 'approved' })
    expectStatus(await owner.post(`${path}/publish`), 200)
  })

  test('400 asks for a time when the planned one has long passed, and 200 takes another or none', async () => {
    const [one, other] = [await inReview(inMinutes(1)), await inReview(inMinutes(1))]
    await t.advance(62 * 60_000)
    expectProblem(await approve(one), 400, 'validation_failed', '/scheduled_at')
    const at = inMinutes(5)
    expect(expectStatus(await approve(one, { scheduled_at: at }), 200).body.scheduled_at).toBe(at)
    expect(expectStatus(await approve(other, { scheduled_at: null }), 200).body.status).toBe('draft')
  })

  test('400 refuses a time for a text that its network forbids, and the post stays in review', async () => {
    const path = await inReview(inMinutes(10), '')
    expectProblem(await approve(path), 400, 'validation_failed')
    expect((await owner.get(path)).body).toMatchObject({ status: 'draft', review: 'pending' })
  })

  test('200 approves a post that was rejected, and clears the reason', async () => {
    const path = await inReview()
    expectStatus(await reject(path), 200)
    expect(expectStatus(await approve(path), 200).body).toMatchObject({ review: 'approved', review_reason: null })
  })

  test('403 for an author, also for their own post', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const { id } = await created({}, author)
    await putInReview(t, id)
    expectProblem(await author.post(`/api/v1/posts/${id}/approve`), 403, 'forbidden_role')
    expectProblem(await author.post(`/api/v1/posts/${id}/reject`, { reason: 'No' }), 403, 'forbidden_role')
  })

  test('409 for a post that is in no review', async () => {
    const { id } = await created()
    expectProblem(await approve(`/api/v1/posts/${id}`), 409, 'invalid_transition')
  })

  test('of three who approve at once, one does', async () => {
    const path = await inReview()
    const responses = await Promise.all([approve(path), approve(path), approve(path)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await eventsOf(path)).toEqual(['post.review.approved'])
  })
})

describe('a change of an approved post', () => {
  const approved = async (at: string | null = inMinutes(10)) => {
    const path = await inReview(at)
    expectStatus(await approve(path), 200)
    return path
  }

  test('one of its content needs an approval again, and keeps its time for that', async () => {
    const other = await playgroundAccount(owner)
    const { id: media_id } = await uploaded(owner)
    const changes: object[] = [
      { content: 'Not seen by anybody' },
      { media_ids: [media_id] },
      { thread: [{ content: 'And more' }] },
      { first_comment: 'Hello again' },
      { account_ids: [account, other] },
      { targets: [{ account_id: account, content: 'Only there' }] },
    ]
    for (const change of changes) {
      const at = inMinutes(10)
      const path = await approved(at)
      const post = expectStatus(await owner.patch(path, change), 200).body
      const waiting = { status: 'draft', scheduled_at: null, review: 'pending', review_scheduled_at: at }
      expect({ change, post }).toMatchObject({ change, post: waiting })
      expect(await eventsOf(path)).toEqual(['post.review.approved', 'post.review.requested'])
      expectProblem(await owner.post(`${path}/publish`), 409, 'post_not_approved')
    }
  })

  test('one by a token of its author is not published before it is approved', async () => {
    const path = await approved()
    const token = await withToken(t, owner, ['posts:write'])
    const publicPath = path.replace('/api/v1', '/api/v1/public')
    expectStatus(await token.patch(publicPath, { content: 'Not seen by anybody' }), 200)
    await t.advance(11 * 60_000)
    await t.runJobs()
    expect((await owner.get(path)).body).toMatchObject({ status: 'draft', review: 'pending' })
    expectStatus(await approve(path, { scheduled_at: inMinutes(1) }), 200)
    await t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(path)).body).toMatchObject({ status: 'published', content: 'Not seen by anybody' })
  })

  test('a new time of it is the planned one, and none makes it a draft', async () => {
    const at = inMinutes(20)
    const later = await owner.patch(await approved(), { content: 'Later', scheduled_at: at })
    expect(later.body).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: at })
    const never = await owner.patch(await approved(), { content: 'Never', scheduled_at: null })
    expect(never.body).toMatchObject({ status: 'draft', review: 'pending', review_scheduled_at: null })
  })

  test('one of its labels or time, or to the same content, leaves it approved', async () => {
    const at = inMinutes(20)
    const same = {
      content: 'Hello',
      media_ids: [],
      thread: [],
      first_comment: null,
      targets: [{ account_id: account }],
    }
    for (const change of [{ labels: ['news'] }, { scheduled_at: at }, same]) {
      const path = await approved(at)
      const post = expectStatus(await owner.patch(path, change), 200).body
      expect({ change, post }).toMatchObject({
        change,
        post: { status: 'scheduled', scheduled_at: at, review: 'approved' },
      })
      expect(await eventsOf(path)).toEqual(['post.review.approved'])
    }
  })

  test('one of the alternative text of its file, also by the author who uploaded that, needs an approval again', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const { id: media_id } = await uploaded(author)
    const uses: object[] = [
      { media_ids: [media_id] },
      { thread: [{ content: 'And more', media_ids: [media_id] }] },
      { targets: [{ account_id: account, media_ids: [media_id] }] },
    ]
    const at = inMinutes(10)
    const paths: string[] = []
    for (const use of uses) {
      const { id } = await created({ account_ids: 'targets' in use ? undefined : [account], ...use })
      await putInReview(t, id, at)
      paths.push(`/api/v1/posts/${id}`)
      expectStatus(await approve(`/api/v1/posts/${id}`), 200)
    }
    const { id: failed } = await created({ account_ids: [account], media_ids: [media_id] })
    await putInReview(t, failed)
    expectStatus(await approve(`/api/v1/posts/${failed}`), 200)
    await failPost(t, failed)
    const other = await approved(at)

    const media = `/api/v1/media/${media_id}`
    expect((await owner.get(`${media}/uses`)).body).toMatchObject({ approved_posts: 4 })
    expectStatus(await author.patch(media, { name: 'spring.png', labels: ['spring'], alt: '' }), 200)
    for (const path of paths) expect((await owner.get(path)).body).toMatchObject({ review: 'approved' })
    expectStatus(await author.patch(media, { alt: 'Not seen by anybody' }), 200)
    for (const path of paths) {
      const waiting = { status: 'draft', scheduled_at: null, review: 'pending', review_scheduled_at: at }
      expect((await owner.get(path)).body).toMatchObject(waiting)
      expect(await eventsOf(path)).toEqual(['post.review.approved', 'post.review.requested'])
      expectProblem(await owner.post(`${path}/publish`), 409, 'post_not_approved')
    }
    expect((await owner.get(`${media}/uses`)).body).toMatchObject({ approved_posts: 0 })
    const again = { status: 'draft', review: 'pending', targets: [{ status: 'pending' }] }
    expect((await owner.get(`/api/v1/posts/${failed}`)).body).toMatchObject(again)
    expect((await owner.get(other)).body).toMatchObject({ status: 'scheduled', review: 'approved' })
  })

  test('one of the name of its document needs an approval again', async () => {
    const { id: media_id } = await uploaded(owner, { bytes: Buffer.from('%PDF-1.7\n%%EOF\n'), name: 'menu.pdf' })
    const { id } = await created({ media_ids: [media_id] })
    await putInReview(t, id)
    expectStatus(await approve(`/api/v1/posts/${id}`), 200)
    expectStatus(await owner.patch(`/api/v1/media/${media_id}`, { name: 'price list.pdf' }), 200)
    expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ review: 'pending' })
  })

  test('it is in the audit log', async () => {
    const path = await approved()
    expectStatus(await owner.patch(path, { content: 'Changed' }), 200)
    const { data } = expectStatus(
      await owner.get('/api/v1/workspace/audit-log?action=post.review_requested&limit=1'),
      200,
    ).body
    expect(data[0]).toMatchObject({ action: 'post.review_requested', target_id: path.split('/').at(-1) })
  })
})

describe('If-Match', () => {
  test('a post that changed since it was read is neither approved nor rejected', async () => {
    const path = await inReview()
    const seen = (await owner.get(path)).headers.get('etag') ?? ''
    expectStatus(await owner.patch(path, { content: 'Changed meanwhile' }), 200)
    const headers = { 'if-match': seen }
    expectProblem(await owner.call('POST', `${path}/approve`, { body: {}, headers }), 412, 'version_conflict')
    const body = { reason: 'No' }
    expectProblem(await owner.call('POST', `${path}/reject`, { body, headers }), 412, 'version_conflict')
    const now = (await owner.get(path)).headers.get('etag') ?? ''
    expectStatus(await owner.call('POST', `${path}/approve`, { body: {}, headers: { 'if-match': now } }), 200)
  })
})

describe('POST /posts/:id/reject', () => {
  test('200 keeps a draft with the reason, which nothing publishes', async () => {
    const path = await inReview(inMinutes(10))
    const post = expectStatus(await reject(path), 200).body
    expect(post).toMatchObject({ status: 'draft', review: 'rejected', review_reason: 'We do not open on Mondays.' })
    expect(await eventsOf(path)).toEqual(['post.review.rejected'])
    expectProblem(await owner.post(`${path}/publish`), 409, 'post_not_approved')
    expectProblem(await reject(path), 409, 'invalid_transition')
  })

  test('400 without a reason', async () => {
    expectProblem(await owner.post(`${await inReview()}/reject`, {}), 400, 'validation_failed')
  })
})
