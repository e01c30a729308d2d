import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { type HttpChannel, httpChannel } from './http-channel.ts'
import { request } from './request.ts'

let channel: HttpChannel
beforeEach(async () => {
  channel = await httpChannel()
  return channel.close
})

const signed = (body: object, { id = randomUUID() as string, at = new Date(), secret = channel.secret() } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': `v1,old ${new Webhook(secret).sign(id, at, JSON.stringify(body))}`,
})
const hi = { type: 'post.publish', data: { text: 'Hi' } }
const send = (body: object, headers: Record<string, string> = signed(body)) =>
  request('POST', channel.url, headers, body)

describe('a signed HTTP channel', () => {
  test('takes a signed post once, and returns its address every time', async () => {
    const body = hi
    const headers = signed(body)
    const first = await send(body, headers)
    expect(first).toMatchObject({ status: 200, body: { id: headers['webhook-id'] } })
    expect((await send(body, headers)).body).toEqual(first.body)
    expect(channel.stored()).toMatchObject([{ id: headers['webhook-id'], text: 'Hi' }])
  })

  test('refuses another secret, another body, an old time and no signature', async () => {
    const body = hi
    const old = signed(body)
    const statusOf = async (headers: Record<string, string>, sent: object = body) => (await send(sent, headers)).status
    expect(await statusOf(signed(body), { ...hi, data: { text: 'Ho' } })).toBe(401)
    expect(await statusOf(signed(body, { at: new Date(Date.now() - 600_000) }))).toBe(401)
    expect(await statusOf({})).toBe(401)
    channel.changeSecret()
    expect(await statusOf(old)).toBe(401)
    expect(await statusOf(signed(body))).toBe(200)
  })

  test('fails as the test says, and is gone for good when it is disconnected', async () => {
    const statusOf = async () => (await send(hi)).status
    channel.fault('refused')
    expect(await statusOf()).toBe(422)
    channel.fault('rate_limited')
    expect((await send(hi)).headers.get('retry-after')).toBe('60')
    channel.fault('token_ends')
    expect(await statusOf()).toBe(410)
    expect(await statusOf()).toBe(410)
  })
})
