import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectStatus,
  memberOf,
  type Person,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../../test/factories.ts'
import { uploaded } from '../../../../../test/media.ts'
import { mailsTo } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

test('a delivery stays as it was delivered: texts are copied, and files cannot be deleted', async () => {
  const { t, buyer, seller, does, orderIn, read, path } = app
  const id = await orderIn('in_progress')
  const { id: media_id } = await uploaded(seller)
  const { id: second } = await uploaded(seller, { name: 'tea.png' })
  const post = expectStatus(
    await seller.post('/api/v1/posts', {
      ...{ content: 'Fresh simit', media_ids: [media_id], account_ids: [await playgroundAccount(seller)] },
      thread: [{ content: 'At seven', media_ids: [second, media_id] }],
      publish_now: true,
    }),
    201,
  ).body
  await t.runJobs()
  const { targets } = expectStatus(await seller.get(`/api/v1/posts/${post.id}`), 200).body
  const { contract } = await does(seller, id, 'deliver', {
    posts: [{ post_id: post.id.toUpperCase() }],
    notes: 'Done.',
  })
  const files = [
    { media_id, name: 'simit.png', kind: 'image', url: `${path(id)}/files/${media_id}` },
    { media_id: second, name: 'tea.png', kind: 'image', url: `${path(id)}/files/${second}` },
  ]
  const links = [targets[0].url]
  expect(links[0]).toMatch(/^http/)
  expect(contract).toEqual({
    notes: 'Done.',
    posts: [{ post_id: post.id, media_id: null, url: null, content: 'Fresh simit\n\nAt seven', files, links }],
  })
  expectStatus(await seller.delete(`/api/v1/posts/${post.id}`), 204)
  for (const query of ['', '?permanent=true']) {
    const refused = expectProblem(await seller.delete(`/api/v1/media/${media_id}${query}`), 409, 'media_in_use')
    expect(refused.order_ids).toEqual([id])
  }
  expect((await read(buyer, id)).contract).toEqual(contract)
  const file = await buyer.call('GET', files[0]?.url ?? '', { headers: { range: 'bytes=0-3' } })
  expect([file.status, file.headers.get('content-range')?.startsWith('bytes 0-3/')]).toEqual([206, true])
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(file.headers.get('content-disposition')).toMatch(/^inline; filename="simit\.png"/)
  const token = await withToken(t, buyer, ['orders:read'])
  expectStatus(await token.get(`/api/v1/public/marketplace/orders/${id}/files/${media_id}`), 200)
  for (const who of [await withWorkspace(t), app.admin])
    expectProblem(await who.get(`${path(id)}/files/${media_id}`), 404, 'not_found')
})

test('each order serves its own files, and none of another order', async () => {
  const { t, buyer, seller, admin, does, orderIn, path } = app
  const deliverTwo = async () => {
    const id = await orderIn('in_progress')
    const files = await Promise.all([uploaded(seller), uploaded(seller)])
    const posts = files.map((file) => ({ media_id: file.id.toUpperCase() }))
    const { contract } = await does(seller, id, 'deliver', { posts })
    expect(contract).toMatchObject({ notes: '', posts: files.map(({ id: media_id }) => ({ media_id, content: null })) })
    return { id, files }
  }
  const [one, two] = [await deliverTwo(), await deliverTwo()]
  await does(buyer, one.id, 'dispute', { reason: 'It is not ours.' })
  for (const who of [buyer, seller])
    for (const { id, files } of [one, two])
      for (const file of files) {
        const { body: own } = expectStatus(await seller.get(`/api/v1/media/${file.id}/file`), 200)
        expect(expectStatus(await who.get(`${path(id)}/files/${file.id}`), 200).body).toBe(own)
      }
  const absent: [string, string][] = [
    [one.id, two.files[0].id],
    [two.id, one.files[1].id],
    [one.id, randomUUID()],
    [randomUUID(), one.files[0].id],
    [randomUUID(), randomUUID()],
  ]
  for (const who of [buyer, seller, admin])
    for (const [id, media_id] of absent) expectProblem(await who.get(`${path(id)}/files/${media_id}`), 404, 'not_found')
  // During a dispute, an instance admin reads them by hand. A token reads those of its workspace.
  const tokenElsewhere = async (person: Person) => {
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `Another of ${person.email}` }), 201)
    return withToken(t, person.with({ 'x-workspace-id': body.id }), ['orders:read'])
  }
  const elsewhere = await tokenElsewhere(await memberOf(t, buyer.workspace_id, 'admin'))
  const ofAdmin = await tokenElsewhere(await signedIn(t, { instanceAdmin: true }))
  const file = `${path(one.id)}/files/${one.files[0].id}`
  for (const who of [elsewhere, ofAdmin])
    expectProblem(await who.get(file.replace('/v1/', '/v1/public/')), 404, 'not_found')
  expectProblem(await (await withWorkspace(t)).get(file), 404, 'not_found')
})

test('409 for the same delivery again, while another one replaces it', async () => {
  const { buyer, seller, act, does, delivery, orderIn, read } = app
  const id = await orderIn('delivered')
  const before = await read(buyer, id)
  expect(expectProblem(await act(seller, id, 'deliver', delivery), 409, 'invalid_transition')).toMatchObject({
    ...{ state: 'delivered', detail: 'Cannot deliver the same again while the state is delivered.' },
  })
  expect(await read(buyer, id)).toEqual(before)
  await does(seller, id, 'deliver', { ...delivery, notes: 'With the eleventh post.' })
  expect((await read(buyer, id)).contract.notes).toBe('With the eleventh post.')
})

const isDelivery = ({ key, body_text }: { key: string; body_text: string }, id: string) =>
  key === 'order-delivered' && body_text.includes(id)

test('many deliveries within an hour are two mails for each order: one at once, and one about the last of them', async () => {
  const { t, buyer, seller, does, delivery, orderIn } = app
  const ids = [await orderIn('delivered'), await orderIn('delivered')]
  const counts = async () => {
    const mails = await mailsTo(t, buyer.email)
    return ids.map((id) => mails.filter((mail) => isDelivery(mail, id)).length)
  }
  for (let number = 2; number <= 8; number++)
    for (const id of ids) await does(seller, id, 'deliver', { ...delivery, notes: `${number}.` })
  await t.runJobs()
  expect(await counts()).toEqual([1, 1])
  await t.advance(3_600_000)
  await t.runJobs()
  expect(await counts()).toEqual([2, 2])
  await t.advance(3_600_000)
  await t.runJobs()
  expect(await counts()).toEqual([2, 2])
})

test('a mail that waited is not sent when its order has gone on', async () => {
  const { t, buyer, seller, does, delivery, orderIn } = app
  const id = await orderIn('delivered')
  await does(seller, id, 'deliver', { ...delivery, notes: 'Again.' })
  await does(buyer, id, 'complete')
  await t.advance(3_600_000)
  await t.runJobs()
  expect((await mailsTo(t, buyer.email)).filter((mail) => isDelivery(mail, id))).toHaveLength(1)
})

test('a delivery with something that does not exist, or with a malformed link, is refused at its place', async () => {
  const { buyer, seller, act, orderIn, read } = app
  const id = await orderIn('in_progress')
  const { id: foreign } = await uploaded(buyer)
  const { id: foreignPost } = expectStatus(await buyer.post('/api/v1/posts', { content: 'Mine' }), 201).body
  const noPost = ['This post does not exist.', 'Bu gönderi yok.'] as const
  const noFile = ['This file does not exist.', 'Bu dosya yok.'] as const
  const noLink = ['This must be a link with https.', 'https ile bir bağlantı olmalı.'] as const
  const refused: [object, string, message?: string, tr?: string][] = [
    [{ media_id: foreign }, '/posts/1/media_id', ...noFile],
    [{ post_id: foreignPost }, '/posts/1/post_id', ...noPost],
    [{ post_id: id }, '/posts/1/post_id', ...noPost],
    [{ url: 'http://example.com' }, '/posts/1/url', ...noLink],
    [{ url: 'no link' }, '/posts/1/url', ...noLink],
    [{ url: 'javascript:alert(1)' }, '/posts/1/url', ...noLink],
    [{ url: 'https://user@example.com' }, '/posts/1/url', ...noLink],
    [{ url: 'https://:secret@example.com' }, '/posts/1/url', ...noLink],
    [{ url: 'https://example.com/a b' }, '/posts/1/url', ...noLink],
    [{ url: 'https://example.com/\u200b' }, '/posts/1/url', ...noLink],
    [{ url: 'https://example.com', media_id: foreign }, '/posts/1'],
    [{}, '/posts/1'],
  ]
  for (const [post, pointer, message, tr] of refused) {
    const posts = [{ url: 'https://example.com' }, post]
    const { errors } = expectProblem(await act(seller, id, 'deliver', { posts }), 400, 'validation_failed', pointer)
    if (message) expect(errors).toEqual([{ pointer, code: 'invalid', message, translations: { tr } }])
  }
  expect(await read(seller, id)).toMatchObject({ status: 'in_progress', contract: null })
})

test('the text of a delivered post is cut, and texts that are too long together are refused', async () => {
  const { seller, act, does, orderIn } = app
  const id = await orderIn('in_progress')
  const content = 'a'.repeat(65_536)
  const thread = [{ content: 'The rest.' }]
  const created = async (post: object) => expectStatus(await seller.post('/api/v1/posts', post), 201).body.id
  const post_id = await created({ content, thread, account_ids: [await playgroundAccount(seller)] })
  const { errors } = expectProblem(
    await act(seller, id, 'deliver', { posts: [{ post_id }, { post_id }] }),
    ...([400, 'validation_failed', '/posts'] as const),
  )
  expect(errors).toEqual([
    { pointer: '/posts', code: 'too_large', message: 'The texts of these posts are too long for one delivery.' },
  ])
  const short = await created({ content: 'Tea until ten' })
  const { contract } = await does(seller, id, 'deliver', { posts: [{ post_id }, { post_id: short }] })
  expect(contract.posts).toMatchObject([
    { content, files: [], links: [] },
    { content: 'Tea until ten', files: [], links: [] },
  ])
})
