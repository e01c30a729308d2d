import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { httpChannel } from '../../../../test/stand-ins/http-channel.ts'
import { newWebhookSecret } from '../../../lib/crypto/webhook-signature.ts'

// Libraries check the time of a signature by the real clock.
const t = await testApp({}, { origin: new Date() })

const secret = newWebhookSecret()

async function withChannel() {
  const receiver = await webhookReceiver()
  const owner = await withWorkspace(t)
  const connect = (fields: object = {}) =>
    owner.post('/api/v1/accounts', { network: 'http', url: receiver.url, secret, ...fields })
  return { receiver, owner, connect }
}

const publish = async ({ owner, connect }: Awaited<ReturnType<typeof withChannel>>, fields: object = {}) => {
  const { body: account } = expectStatus(await connect(), 201)
  const post = { content: 'Hello', account_ids: [account.id], publish_now: true, ...fields }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return (await owner.get(`/api/v1/posts/${body.id}`)).body
}

describe('HTTP channel', () => {
  test('receives a post with its thread as one message that Standard Webhooks verifies', async () => {
    const channel = await withChannel()
    channel.receiver.respondWith((response) =>
      response.writeHead(200).end('{"id":"abc","url":"https://blog.example/abc"}'),
    )
    const post = await publish(channel, { thread: [{ content: 'Two' }], first_comment: 'Three' })
    expect(post).toMatchObject({
      status: 'published',
      targets: [{ external_id: 'abc', url: 'https://blog.example/abc', published_parts: 2 }],
    })
    const { raw, headers } = channel.receiver.received.at(-1) ?? { raw: Buffer.alloc(0), headers: {} }
    expect(headers['user-agent']).toBe('Meydan')
    expect(new StandardWebhook(secret).verify(raw, headers as Record<string, string>)).toMatchObject({
      id: post.targets[0].id,
      type: 'post.publish',
      data: { text: 'Hello', media: [], thread: [{ text: 'Two', media: [] }], first_comment: 'Three' },
    })
    channel.receiver.close()
  })

  test('stores no id or address that a receiver made up of other characters', async () => {
    const channel = await withChannel()
    channel.receiver.respondWith((response) => response.end('{"id":"a\\u0000","url":"javascript:alert(1)//\\u0000"}'))
    const { targets } = await publish(channel)
    expect(targets).toMatchObject([{ status: 'published', external_id: targets[0].id, url: null }])
    channel.receiver.close()
  })

  test.each([
    [500, 'unconfirmed', { needs_resolution: true }],
    [429, 'pending', { error_code: 'network_unavailable' }],
    [400, 'failed', { error_code: 'rejected_by_network' }],
    [410, 'failed', { error_code: 'account_disconnected' }],
  ] as const)('a response %i leaves the target %s', async (status, expected, fields) => {
    const channel = await withChannel()
    channel.receiver.respondWith((response, { type }) =>
      response.writeHead(type === 'channel.check' ? 200 : status).end(),
    )
    const { targets } = await publish(channel)
    expect(targets).toMatchObject([{ status: expected, ...fields }])
    channel.receiver.close()
  })

  test('is not connected unless the receiver accepts a signed message', async () => {
    const { receiver, connect } = await withChannel()
    expectProblem(await connect({ secret: 'short' }), 400, 'validation_failed', '/secret')
    expectProblem(await connect({ url: 'http://10.0.0.1/' }), 400, 'url_not_allowed', '/url')
    receiver.respondWith((response) => response.writeHead(401).end())
    expectProblem(await connect(), 400, 'account_unreachable', '/url')
    receiver.close()
  })
})

/** The app for the tests of faults, which advance its clock by days. */
const faulty = await testApp()

async function withStandIn() {
  const server = await httpChannel({ now: () => faulty.clock.now().getTime() })
  const owner = await withWorkspace(faulty)
  const fields = { network: 'http', url: server.url, secret: server.secret() }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { server, owner, account: body.id as string }
}

describeFaults('the HTTP channel', {
  t: () => faulty,
  connect: withStandIn,
  post: (text) => ({ content: text }),
  visible: 1,
  // A receiver need not drop what it has already.
  canLookUp: false,
  outcomes: { false_success: 'absent' },
})
