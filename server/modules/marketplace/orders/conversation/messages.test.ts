import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, withToken } from '../../../../../test/factories.ts'
import { uploaded } from '../../../../../test/media.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { type OrderApp, orderApp } from '../orders.fixture.ts'

const HOUR = 3_600_000
let app: OrderApp
beforeAll(async () => {
  app = await orderApp()
})
afterAll(() => app.close())

test('both sides write plain text with files, and see what happened on the order between', async () => {
  const { buyer, seller, does, orderIn, path } = app
  const id = await orderIn('in_progress')
  const { id: media_id } = await uploaded(buyer, { name: 'logo.png' })
  const text = '<script>alert(1)</script>\nHello'
  const sent = await does(buyer, id, 'messages', { text, media_ids: [media_id] })
  expect(sent).toMatchObject({ side: 'buyer', author: 'Ada', text, code: null })
  expect(sent.files).toMatchObject([
    { media_id, name: 'logo.png', kind: 'image', url: `${path(id)}/files/${media_id}` },
  ])
  expect((await seller.get(sent.files[0].url)).headers.get('content-type')).toBe('image/png')
  const { data } = expectStatus(await seller.get(`${path(id)}/messages`), 200).body
  expect(data.map((message: { code: string | null; text: string }) => message.code ?? message.text)).toEqual([
    ...[text, 'accept', 'pay'],
  ])
  const { body } = await seller.delete(`/api/v1/media/${media_id}`)
  expect(body.code).toBe('not_found')
  expect(expectProblem(await buyer.delete(`/api/v1/media/${media_id}`), 409, 'media_in_use').order_ids).toEqual([id])
  expectProblem(
    await app.act(seller, id, 'messages', { text, media_ids: [media_id] }),
    400,
    'validation_failed',
    '/media_ids/0',
  )
})

test('unread messages are counted for each side until they are read, and mailed once an hour', async () => {
  const { t, buyer, seller, does, orderIn, read, mails, act } = app
  const id = await orderIn('pending')
  const other = await orderIn('pending')
  const count = async () => (await mails(seller)).filter((key) => key === 'order-message').length
  const before = await count()
  const first = await does(buyer, id, 'messages', { text: 'One' })
  await does(buyer, id, 'messages', { text: 'Two' })
  expect(await count()).toBe(before + 1)
  expect((await read(seller, id)).unread_messages).toBe(2)
  expect((await read(buyer, id)).unread_messages).toBe(0)
  expect(await does(seller, id, 'messages/read', { message_id: first.id })).toEqual({ unread_messages: 1 })
  expectProblem(
    await act(seller, other, 'messages/read', { message_id: first.id }),
    400,
    'validation_failed',
    '/message_id',
  )
  t.advance(HOUR)
  const third = await does(buyer, id, 'messages', { text: 'Three' })
  expect(await count()).toBe(before + 2)
  expect(await does(seller, id, 'messages/read', { message_id: third.id })).toEqual({ unread_messages: 0 })
})

test('a token with orders:write sends messages, and one with orders:read does not', async () => {
  const { t, buyer, orderIn, path } = app
  const id = await orderIn('pending')
  const publicPath = path(id, 'messages').replace('/v1/', '/v1/public/')
  const reader = await withToken(t, buyer, ['orders:read'])
  expectProblem(await reader.post(publicPath, { text: 'Hello' }), 403, 'insufficient_scope')
  const writer = await withToken(t, buyer, ['orders:write'])
  expectStatus(await writer.post(publicPath, { text: 'Hello' }), 201)
  expectStatus(await reader.get(publicPath), 200)
})
