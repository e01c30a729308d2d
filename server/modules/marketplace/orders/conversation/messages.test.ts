import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeRole, expectStatus, memberOf, type Person, withToken } from '../../../../../test/factories.ts'
import { publishedGig } from '../../../../../test/gigs.ts'
import { uploaded } from '../../../../../test/media.ts'
import { lastMail } from '../../../../../test/people.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import { mailTimeFormat } from '../../../../lib/language.ts'
import { seenBy } from '../../../notifications/notifications.fixture.ts'
import { type OrderApp, orderApp, ordered } from '../orders.fixture.ts'

const HOUR = 3_600_000
type Notified = { kind: string; detail: string; count: number; subject: { name: string } }
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
  expect(data).toMatchObject([{ text }, { code: 'accept', author: null }, { code: 'pay', author: null }])
  expect(data.map(({ details }: { details: object }) => details)).toEqual([null, {}, {}])
  const { body } = await seller.delete(`/api/v1/media/${media_id}`)
  expect(body.code).toBe('not_found')
  expect(expectProblem(await buyer.delete(`/api/v1/media/${media_id}`), 409, 'media_in_use').order_ids).toEqual([id])
  const foreign = await app.act(seller, id, 'messages', { text, media_ids: [media_id] })
  expect(expectProblem(foreign, 400, 'validation_failed').errors).toEqual([
    {
      ...{ pointer: '/media_ids/0', code: 'invalid' },
      ...{ message: 'This file does not exist.', translations: { tr: 'Bu dosya yok.' } },
    },
  ])
})

test('an order that is not paid has no messages', async () => {
  const { buyer, seller, act } = app
  const { id } = await ordered(buyer, await publishedGig(seller))
  const { detail } = expectProblem(await act(buyer, id, 'messages', { text: 'Hello' }), 409, 'invalid_transition')
  expect(detail).toBe('Cannot send message while the state is pending_payment.')
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
  const foreign = await act(seller, other, 'messages/read', { message_id: first.id })
  expect(expectProblem(foreign, 400, 'validation_failed', '/message_id').errors[0]).toMatchObject({
    ...{ message: 'This message does not exist.', translations: { tr: 'Bu mesaj yok.' } },
  })
  t.advance(HOUR)
  const third = await does(buyer, id, 'messages', { text: 'Three' })
  expect(await count()).toBe(before + 2)
  expect(await does(seller, id, 'messages/read', { message_id: third.id })).toEqual({ unread_messages: 0 })
  // An earlier message does not make later ones unread again.
  expect(await does(seller, id, 'messages/read', { message_id: first.id })).toEqual({ unread_messages: 0 })
  const reply = await does(seller, id, 'messages', { text: 'Four' })
  expect([(await read(buyer, id)).unread_messages, (await read(seller, id)).unread_messages]).toEqual([1, 0])
  expect(await does(buyer, id, 'messages/read', { message_id: third.id })).toEqual({ unread_messages: 1 })
  expect(await does(buyer, id, 'messages/read', { message_id: reply.id })).toEqual({ unread_messages: 0 })
})

test('a change is mailed and shown to the user who ordered, or to the admins once that user is none of them', async () => {
  const { t, buyer, seller, does, orderIn, path, mails } = app
  const [colleague, viewer] = [
    await memberOf(t, buyer.workspace_id, 'admin'),
    await memberOf(t, buyer.workspace_id, 'viewer'),
  ]
  const ofSeller = await memberOf(t, seller.workspace_id, 'admin')
  expectStatus(await buyer.patch('/api/v1/me', { locale: 'tr' }), 200)
  const id = await orderIn('in_progress')
  const { due_at, title } = await app.read(buyer, id)
  const mail = await lastMail(t, buyer.email)
  expect(mail).toMatchObject({ key: 'order-accepted', subject: `Ada, “${title}” siparişini kabul etti` })
  const { slug } = expectStatus(await buyer.get('/api/v1/workspace'), 200).body
  const { timezone } = expectStatus(await buyer.get('/api/v1/me'), 200).body
  expect(mail.body_text).toContain(`Teslim tarihi: ${mailTimeFormat('tr', timezone).format(new Date(due_at))}.`)
  expect(mail.body_text).toContain(`${t.deps.baseUrl}/w/${slug}${path(id).replace('/api/v1', '')}\n`)
  await does(seller, id, 'deliver', app.delivery)
  await t.runJobs()
  const changes = async (who: Person) =>
    (await seenBy(who))
      .filter(({ subject }: { subject: { id: string } }) => subject.id === id)
      .map(({ kind, detail, count, subject }: Notified) => ({ kind, detail, count, name: subject.name }))
  expect(await changes(buyer)).toEqual([{ kind: 'order.changed', detail: 'delivered', count: 2, name: title }])
  for (const who of [colleague, viewer, ofSeller]) {
    expect(await changes(who)).toEqual([])
    expect(await mails(who)).toEqual([])
  }

  await changeRole(t, { id: buyer.id, workspace_id: buyer.workspace_id }, 'editor')
  await changeRole(t, { id: seller.id, workspace_id: seller.workspace_id }, 'editor')
  const before = [await mails(buyer), await mails(seller)]
  expectStatus(await app.admin.patch(`${path(id)}/complete`), 200)
  const { dispute } = await does(colleague, id, 'dispute', { reason: 'It does not open.' })
  expectStatus(
    await app.admin.post(`/api/v1/admin/marketplace/disputes/${dispute.id}/resolve`, { refund_amount: 0 }),
    200,
  )
  expect(await mails(colleague)).toEqual(['order-dispute-resolved'])
  expect([await mails(buyer), await mails(seller), await mails(viewer), await mails(ofSeller)]).toEqual([
    ...before,
    [],
    [],
  ])
  await changeRole(t, { id: buyer.id, workspace_id: buyer.workspace_id }, 'owner')
  await changeRole(t, { id: seller.id, workspace_id: seller.workspace_id }, 'owner')
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
