import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { setOption } from '../server/modules/options/overrides.ts'
import { createPlan } from '../server/modules/plans/plans.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { DAY } from '../shared/time.ts'
import { atLeast, type Claim, compareWithBaseline } from './harness.ts'
import { type LoadRequest, load } from './http.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const WORKSPACES = 32
const CONNECTIONS = 32

/**
 * Compares scheduling posts in workspaces whose plan limits everything with workspaces whose plan limits nothing. Usage
 * is counted in both, so the ratio shows the cost of enforcing limits exactly.
 */
export const claim: Claim = {
  name: 'limits',
  target: atLeast(0.9),
  measure: async (bench) => {
    const connection = await startPostgres()
    bench.log(`creating ${2 * WORKSPACES} workspaces`)
    const { token, limited, unlimited } = await fill(connection)
    const { url } = await startMeydan(serverSettings(connection))
    const schedule = (requests: LoadRequest[]) => (seconds: number) =>
      load(url, requests, { connections: CONNECTIONS, seconds, headers: { authorization: `Bearer ${token}` } })
    return compareWithBaseline(bench, {
      unit: 'posts/s',
      // Scheduling a post counts those already scheduled, so no workspace gets more than a plan such as Pro allows.
      rounds: 12,
      seconds: 2,
      value: schedule(limited),
      baseline: schedule(unlimited),
    })
  },
}

/** More than the bench reaches. */
const HIGH_LIMIT = 1_000_000
const UNLIMITED = -1
const limitsOf = (limit: number) => ({
  social_accounts: limit,
  posts_per_month: limit,
  ai_credits: limit,
  team_members: limit,
  storage_mb: limit,
  scheduled_posts_max: limit,
})

const fill = (connection: ConnectionConfig) =>
  withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const scheduled_at = new Date(Date.now() + 30 * DAY).toISOString()
    const prices = { try: { monthly: 0, yearly: 0 }, usd: null }
    const createWorkspaces = async (code: string, limit: number) => {
      await createPlan(deps, owner, { code, name: code, prices, limits: limitsOf(limit) })
      const requests: LoadRequest[] = []
      for (let n = 0; n < WORKSPACES; n++) {
        const { id } = await createWorkspace(deps.db, owner, { name: `${code} ${n}` })
        await deps.db.updateTable('workspace').set({ plan_code: code }).where('id', '=', id).execute()
        const account = await connectAccount(deps, { ...owner, workspace_id: id }, { network: 'playground' })
        requests.push({
          path: '/api/v1/public/posts',
          headers: { 'x-workspace-id': id },
          body: { content: 'A scheduled post, about as long as a post is.', account_ids: [account.id], scheduled_at },
        })
      }
      return requests
    }
    const limited = await createWorkspaces('limited', HIGH_LIMIT)
    const unlimited = await createWorkspaces('unlimited', UNLIMITED)
    await setOption(deps, owner, 'billing.enabled', { value: true })
    const { token } = await createToken(deps, owner, { name: 'bench', scopes: ['posts:write'], team_id: null })
    await deps.pool.query('vacuum analyze')
    return { token, limited, unlimited }
  })
