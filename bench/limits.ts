import type { ConnectionConfig } from '../server/lib/database.ts'
import { connectAccount } from '../server/modules/accounts/accounts.ts'
import { setOption } from '../server/modules/options/options.ts'
import { createPlan } from '../server/modules/plans/plans.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { type Claim, load, sideBySide, startPostgres, startServer } from './harness.ts'
import { inMeydan, newOwner, serverSettings } from './meydan.ts'

const WANTED = 0.9
const WORKSPACES = 32
const CONNECTIONS = 32

/**
 * Posts that are scheduled in workspaces whose plans limit everything, against the same in workspaces whose plan limits
 * nothing. Both are counted; what is measured is what it costs to be exact about a limit.
 */
export const claim: Claim = {
  name: 'limits',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio }) => ratio >= WANTED,
  measure: async ({ quick, say }) => {
    const connection = await startPostgres()
    say(`making ${2 * WORKSPACES} workspaces`)
    const { token, limited, unlimited } = await fill(connection)
    const { url } = await startServer(new URL('../server/cli.ts', import.meta.url), serverSettings(connection), [
      'serve',
    ])
    const write = (asks: Parameters<typeof load>[1]) => (seconds: number) =>
      load(url, asks, { connections: CONNECTIONS, seconds, headers: { authorization: `Bearer ${token}` } })
    const measured = await sideBySide({
      // In each workspace no more posts come to wait than a plan such as Pro allows: what waits is counted.
      rounds: quick ? 4 : 12,
      seconds: quick ? 1 : 2,
      value: write(limited),
      floor: write(unlimited),
      say,
    })
    return { ...measured, unit: 'posts/s' }
  },
}

/** More than is written here. */
const FAR = 1_000_000
const limitsOf = (most: number) => ({
  social_accounts: most,
  posts_per_month: most,
  ai_credits: most,
  team_members: most,
  storage_mb: most,
  scheduled_posts_max: most,
})

const fill = (connection: ConnectionConfig) =>
  inMeydan(connection, async (deps) => {
    const owner = await newOwner(deps)
    const scheduled_at = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()
    const prices = { try: { monthly: 0, yearly: 0 }, usd: null }
    const underPlan = async (code: string, most: number) => {
      await createPlan(deps, owner, { code, name: code, prices, limits: limitsOf(most) })
      const asks: { path: string; headers: Record<string, string>; body: object }[] = []
      for (let n = 0; n < WORKSPACES; n++) {
        const { id } = await createWorkspace(deps.db, owner, { name: `${code} ${n}` })
        await deps.db.updateTable('workspace').set({ plan_code: code }).where('id', '=', id).execute()
        const account = await connectAccount(deps, { ...owner, workspace_id: id }, { network: 'playground' })
        asks.push({
          path: '/api/v1/public/posts',
          headers: { 'x-workspace-id': id },
          body: { content: 'A post as long as posts are, which waits.', account_ids: [account.id], scheduled_at },
        })
      }
      return asks
    }
    const limited = await underPlan('limited', FAR)
    const unlimited = await underPlan('unlimited', -1)
    await setOption(deps, owner, 'billing.enabled', { value: true })
    const { token } = await createToken(deps, owner, { name: 'bench', scopes: ['posts:write'], team_id: null })
    await deps.pool.query('vacuum analyze')
    return { token, limited, unlimited }
  })
