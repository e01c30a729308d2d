import { verify as octokitVerify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from './app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'
import { type Received, webhookReceiver } from './receiver.ts'

// Libraries check the time of a signature by the real clock.
const t = await testApp({}, { origin: new Date() })
const receiver = await webhookReceiver()
t.dispatch()
afterAll(() => receiver.close())

const content = 'Günaydın ☀️ "simit"'

/** A webhook, functions that change its secret, and its deliveries. */
async function webhookWithDeliveries() {
  const owner: WorkspaceOwner = await withWorkspace(t)
  const url = `${receiver.url}/${owner.workspace_id}`
  const { body } = expectStatus(await owner.post('/api/v1/webhooks', { url, events: ['*'] }), 201)
  const receivedHere = () => receiver.received.filter(({ path }) => path.endsWith(owner.workspace_id))
  return {
    secret: body.secret as string,
    rotate: async (overlap_seconds: number): Promise<string> =>
      expectStatus(await owner.post(`/api/v1/webhooks/${body.id}/rotate-secret`, { overlap_seconds }), 200).body.secret,
    delivered: async (): Promise<Received> => {
      const before = receivedHere().length
      expectStatus(await owner.post('/api/v1/posts', { content }), 201)
      await receiver.until(() => receivedHere().length > before)
      const message = receivedHere().at(-1)
      if (!message) throw new Error('unreachable')
      return message
    },
  }
}

const textOf = (headers: Received['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The result of each package for a message and a secret: the accepted payload, or nothing. */
const verifiers = {
  standardwebhooks: (secret: string, { raw, headers }: Received) =>
    new StandardWebhook(secret).verify(raw, textOf(headers)),
  svix: (secret: string, { raw, headers }: Received) => new SvixWebhook(secret).verify(raw, textOf(headers)),
}
const octokit = (secret: string, { raw }: Received, signature: unknown) =>
  octokitVerify(secret, raw.toString(), `sha256=${signature}`)

const tampered = (message: Received): Received => ({
  ...message,
  raw: Buffer.from(message.raw.toString().replace('simit', 'poğaça')),
})

describe.each(Object.entries(verifiers))('signatures checked by the package %s', (_, verify) => {
  test('a delivery is accepted, and a changed one or one signed with another secret is rejected', async () => {
    const { secret, delivered } = await webhookWithDeliveries()
    const message = await delivered()
    expect(verify(secret, message)).toMatchObject({ type: 'post.created', data: { post: { content } } })
    expect(() => verify(secret, tampered(message))).toThrow('No matching signature')
    const other = (await webhookWithDeliveries()).secret
    expect(() => verify(other, message)).toThrow('No matching signature')
  })

  test('both secrets are accepted during a rotation, and only the new one afterwards', async () => {
    const { secret, rotate, delivered } = await webhookWithDeliveries()
    const next = await rotate(3600)
    const during = await delivered()
    for (const known of [secret, next]) expect(verify(known, during)).toMatchObject({ type: 'post.created' })
    expect(() => verify(secret, tampered(during))).toThrow('No matching signature')
    const last = await rotate(0)
    const after = await delivered()
    expect(verify(last, after)).toMatchObject({ type: 'post.created' })
    for (const former of [secret, next]) expect(() => verify(former, after)).toThrow('No matching signature')
  })

  test.each([-6, 6])('a delivery that is %i minutes away from now is rejected', async (minutes) => {
    const { secret, delivered } = await webhookWithDeliveries()
    t.advance(minutes * 60_000)
    const message = await delivered()
    t.advance(-minutes * 60_000)
    expect(() => verify(secret, message)).toThrow(/timestamp/)
  })
})

describe('X-Service-Signature checked by @octokit/webhooks-methods', () => {
  test('X-Service-Signature is accepted by @octokit/webhooks-methods, and rejected with another body or secret', async () => {
    const { secret, delivered } = await webhookWithDeliveries()
    const message = await delivered()
    const signature = message.headers['x-service-signature']
    expect(await octokit(secret, message, signature)).toBe(true)
    expect(await octokit(secret, tampered(message), signature)).toBe(false)
    expect(await octokit((await webhookWithDeliveries()).secret, message, signature)).toBe(false)
    expect(message.headers).not.toHaveProperty('x-service-signature-next')
  })

  test('X-Service-Signature uses the former secret during a rotation, with the new one in -Next, and the new one afterwards', async () => {
    const { secret, rotate, delivered } = await webhookWithDeliveries()
    const next = await rotate(3600)
    const during = await delivered()
    const { 'x-service-signature': signature, 'x-service-signature-next': signatureNext } = during.headers
    expect(await octokit(secret, during, signature)).toBe(true)
    expect(await octokit(next, during, signature)).toBe(false)
    expect(await octokit(next, during, signatureNext)).toBe(true)
    expect(await octokit(secret, during, signatureNext)).toBe(false)
    t.advance(3600_000)
    const after = await delivered()
    t.advance(-3600_000)
    expect(await octokit(next, after, after.headers['x-service-signature'])).toBe(true)
    expect(await octokit(secret, after, after.headers['x-service-signature'])).toBe(false)
    expect(after.headers).not.toHaveProperty('x-service-signature-next')
  })
})
