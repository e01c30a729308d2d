import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { testLimit } from '../../../lib/http/limits/test-limit.ts'
import { routes } from '../../../lib/http/route.ts'
import { testChosenProvider } from '../providers/registry.ts'
import { Provider } from '../records/subscriptions.schema.ts'

const BillingTest = Type.Object(
  {
    provider: Provider,
    ok: Type.Boolean({ description: 'Whether the provider accepted the call.' }),
    message: Type.String({
      maxLength: 400,
      description: 'The account at the provider, or the reason of the failure.',
      examples: ['Payments are approved by an instance admin.'],
    }),
    missing: Type.Array(Type.String({ maxLength: 100, examples: ['stripe.secret_key'] }), {
      maxItems: 10,
      description: 'Options that the provider requires and that are not set.',
    }),
  },
  { title: 'BillingTest' },
)

export function testBillingRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Options')
  const countTest = testLimit('billing-test', deps.clock)

  route.post('/options/test/billing', {
    operationId: 'testBilling',
    summary: 'Test the payment provider',
    description:
      'Calls the provider of the option `billing.provider` once, without a payment. If an option is missing, or the provider rejects the call or does not respond, the response has `ok: false` and the reason. At most 5 tests a minute.',
    access: instanceAdmin(),
    response: { 200: BillingTest },
    ownTransactions: true,
    handler: async ({ deps, caller, complete, reply }) => {
      countTest(caller, reply)
      const result = await testChosenProvider(deps)
      await inTransaction(deps.db, (tx) => complete(tx, result))
      return result
    },
  })
}
