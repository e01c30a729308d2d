import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders, signingKey } from './webhook-signature.ts'

describe('signedHeaders', () => {
  test('the signature of the example of Standard Webhooks is the same', () => {
    const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const headers = signedHeaders(
      { current: key },
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      new Date(1_614_265_330_999),
    )
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('X-Service-Signature is the hex HMAC of the body, keyed with the text of the secret', () => {
    const body = '{"event":"charge.success","amount":1000,"currency":"NGN"}'
    const headers = signedHeaders({ current: signingKey('convoy-webhook-secret') }, 'id', body, new Date(0))
    expect(headers['x-service-signature']).toBe('244449b7f48cbc2709060c9dcdc2b3aa47a78f540430579015c579fb12defbb4')
    expect(headers).not.toHaveProperty('x-service-signature-next')
  })

  test('a body as text and as bytes has the same signatures', () => {
    const [current, body, now] = [signingKey(newWebhookSecret()), '{"name":"Gökçe ✓ 🌍"}', new Date()]
    expect(signedHeaders({ current }, 'id', body, now)).toEqual(
      signedHeaders({ current }, 'id', Buffer.from(body), now),
    )
  })

  test('both secrets sign until the previous one ends, and only the current one from then on', () => {
    const [former, latter] = [newWebhookSecret(), newWebhookSecret()]
    const until = new Date(Date.now() + 60_000)
    const keys = { current: signingKey(latter), previous: signingKey(former), previous_until: until }
    const only = (secret: string, now: Date) => signedHeaders({ current: signingKey(secret) }, 'id', '{}', now)
    const during = new Date(until.getTime() - 1)
    const headers = signedHeaders(keys, 'id', '{}', during)
    expect(headers['x-service-signature']).toBe(only(former, during)['x-service-signature'])
    expect(headers['x-service-signature-next']).toBe(only(latter, during)['x-service-signature'])
    expect(headers['webhook-signature']).toBe(
      `${only(latter, during)['webhook-signature']} ${only(former, during)['webhook-signature']}`,
    )
    for (const secret of [former, latter]) expect(new StandardWebhook(secret).verify('{}', headers)).toEqual({})
    expect(signedHeaders(keys, 'id', '{}', until)).toEqual(only(latter, until))
  })
})
