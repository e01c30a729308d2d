/** Code whose tests are measured, and the tests that judge it. Shapes and routes, which hold no rules, stay out. */
export const groups: Record<string, { sources: string[]; tests: string[] }> = {
  tokens: {
    sources: ['server/modules/tokens/*.ts', 'server/lib/http/scopes.ts'],
    tests: ['server/modules/tokens/*.test.ts'],
  },
  access: {
    sources: ['server/lib/http/{access,authorize,roles}.ts', 'server/modules/workspaces/members/*.ts'],
    tests: [
      'server/lib/http/**/*.test.ts',
      'server/modules/workspaces/**/*.test.ts',
      'server/modules/tokens/tokens.test.ts',
      'server/modules/auth/auth-routes.test.ts',
      'server/modules/plans/plans.test.ts',
      // Visitors, files by their URL alone, jobs in the name of a member, who reads billing, and limits.
      'server/modules/marketplace/gigs/gigs.test.ts',
      'server/modules/media/serving.test.ts',
      'server/modules/agents/runs/runs.test.ts',
      'server/modules/billing/readers.test.ts',
      'test/conventions.test.ts',
    ],
  },
  ledger: {
    sources: ['server/modules/ledger/*.ts', 'server/ledger-rules.ts'],
    tests: [
      'server/modules/ledger/*.test.ts',
      'server/modules/marketplace/payouts/**/*.test.ts',
      'server/modules/marketplace/orders/money/order-money.test.ts',
    ],
  },
  orders: {
    sources: ['server/modules/marketplace/orders/**/*.ts'],
    tests: ['server/modules/marketplace/orders/**/*.test.ts'],
  },
  subscriptions: {
    sources: [
      'server/modules/billing/subscriptions/*.ts',
      'server/modules/billing/processes/**/*.ts',
      'server/modules/billing/records/*.ts',
      'server/modules/billing/checkouts/*.ts',
    ],
    tests: [
      'server/modules/billing/**/*.test.ts',
      'server/modules/installation/release.test.ts',
      'server/modules/marketplace/orders/{ordering,money/provider-orders}.test.ts',
    ],
  },
}

/** Files without rules of their own. */
export const excluded = /\.(test|fixture|schema|routes|export|events|checks|jobs|meters)\.ts$/
