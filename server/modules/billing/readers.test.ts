import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { scopes } from '../../lib/http/scopes.ts'
import { type Billing, billingApp, payAtStripe, sellAtStripe, settle, subscriptionOf } from './billing.fixture.ts'

let billing: Billing
let owner: Awaited<ReturnType<typeof withWorkspace>>
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let secrets: string[]
let webhook: string

beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
  owner = await withWorkspace(billing.t)
  receiver = await webhookReceiver()
  const { body } = expectStatus(await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] }), 201)
  webhook = body.id
  await payAtStripe(billing, owner)
  await settle(billing)
  const { provider_subscription_id, provider_customer_id } = await subscriptionOf(owner)
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  secrets = [provider_subscription_id, provider_customer_id, data[0].number]
  for (const secret of secrets) expect(secret).toEqual(expect.any(String))
})
afterAll(async () => {
  await billing?.close()
  receiver?.close()
})

type Deliveries = { data: { id: string; type: string }[] }

/** All addresses that a caller can read without knowing more than the ids of lists, each with its response. */
async function walk(caller: Client, mount: string) {
  const document = expectStatus(await billing.t.anyone.get('/openapi.json'), 200).body
  const paths = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    'get' in item && !path.includes('{') && path.startsWith(mount) ? [path] : [],
  )
  const deliveries = `${mount}/webhooks/${webhook}/deliveries`
  const { data }: Deliveries = expectStatus(await owner.get(`/api/v1/webhooks/${webhook}/deliveries`), 200).body
  expect(data.some(({ type }) => type === 'billing.invoice.paid')).toBe(true)
  const all = [...paths, deliveries, `${mount}/webhooks/${webhook}`, ...data.map(({ id }) => `${deliveries}/${id}`)]
  const found: [string, string][] = []
  for (const path of all) {
    const { body } = await caller.get(path)
    found.push([path, JSON.stringify(body) ?? ''])
  }
  return found
}
const leaks = (found: [string, string][]) =>
  found.flatMap(([path, text]) => (secrets.some((secret) => text.includes(secret)) ? [path] : []))

test('members below admin read invoices and ids of the provider nowhere', async () => {
  for (const role of ['viewer', 'author', 'editor'] as const) {
    const member = await memberOf(billing.t, owner.workspace_id, role)
    expect(leaks(await walk(member, '/api/v1'))).toEqual([])
    expect(await subscriptionOf(member)).toMatchObject({ plan_code: 'team', pay_url: null })
  }
})

test('a token of the owner without a scope of billing reads them nowhere, and one with it reads the events', async () => {
  const others = Object.keys(scopes).filter((scope) => !scope.startsWith('billing:'))
  const without = await withToken(billing.t, owner, others)
  expect(leaks(await walk(without, '/api/v1/public'))).toEqual([])
  const reader = await withToken(billing.t, owner, ['webhooks:read', 'billing:read'])
  expect(leaks(await walk(reader, '/api/v1/public'))).toEqual(
    expect.arrayContaining(['/api/v1/public/events', '/api/v1/public/billing/subscription']),
  )
})

test('an admin reads the deliveries of billing, and others are refused with the reason', async () => {
  const path = `/api/v1/webhooks/${webhook}/deliveries`
  const { data }: Deliveries = expectStatus(await owner.get(`${path}?type=billing.invoice.paid`), 200).body
  const one = `${path}/${data[0]?.id}`
  expect(expectStatus(await owner.get(one), 200).body.payload).toContain(secrets[2])
  const viewer = await memberOf(billing.t, owner.workspace_id, 'viewer')
  expectProblem(await viewer.get(one), 403, 'forbidden_role')
  const token = await withToken(billing.t, owner, ['webhooks:read'])
  expectProblem(await token.get(one.replace('/v1/', '/v1/public/')), 403, 'insufficient_scope')
})
