import { meterNames } from '../server/modules/usage/meter.ts'
import { expectStatus, type Person } from './factories.ts'

const limits = Object.fromEntries(meterNames.map((meter) => [meter, -1]))
const entitlements = ['ai.agents', 'approvals', 'audit_log', 'marketplace.sell']

/** Creates a plan that refuses nothing. */
export async function planWithoutLimits(
  admin: Person,
  { code, monthly, metadata = {} }: { code: string; monthly: number; metadata?: Record<string, string> },
) {
  const prices = { try: { monthly, yearly: 10 * monthly }, usd: null }
  const plan = { code, name: code, prices, limits, entitlements, metadata }
  expectStatus(await admin.post('/api/v1/admin/plans', plan), 201)
}

/** Turns billing on, with a default plan that refuses nothing. */
export async function sellWithoutLimits(admin: Person) {
  await planWithoutLimits(admin, { code: 'without-limits', monthly: 0 })
  expectStatus(await admin.put('/api/v1/options/billing.default_plan', { value: 'without-limits' }), 200)
  expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
}
