/** Calls that tests of plan limits share. */
import { sql } from 'kysely'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, type Person, type WorkspaceOwner, withWorkspace } from '../../../test/factories.ts'
import type { MeterName } from './meter.ts'

const HOUR = 3600_000

const unlimited = {
  social_accounts: -1,
  posts_per_month: -1,
  ai_credits: -1,
  team_members: -1,
  storage_mb: -1,
  scheduled_posts_max: -1,
}

/** `now`: the test app, and an instance admin. */
export function planCalls(now: () => { t: TestApp; boss: Person }) {
  let number = 0
  const newPlan = async (limits: object) => {
    const code = `plan-${++number}`
    const prices = { try: { monthly: 0, yearly: 0 }, usd: null }
    const plan = { code, name: `Plan ${number}`, is_public: false, prices, limits: { ...unlimited, ...limits } }
    expectStatus(await now().boss.post('/api/v1/admin/plans', plan), 201)
    return code
  }
  const changeLimits = async (code: string, limits: object) =>
    expectStatus(await now().boss.patch(`/api/v1/admin/plans/${code}`, { limits: { ...unlimited, ...limits } }), 200)
  const put = (workspace_id: string, plan_code: string) =>
    now().t.deps.db.updateTable('workspace').set({ plan_code }).where('id', '=', workspace_id).execute()

  async function withPlan(limits: object): Promise<WorkspaceOwner & { plan: string }> {
    const owner = await withWorkspace(now().t)
    const plan = await newPlan(limits)
    await put(owner.workspace_id, plan)
    return { ...owner, plan }
  }

  const inHours = (hours = 1) => new Date(now().t.clock.now().getTime() + hours * HOUR).toISOString()

  /** Counts posts by their own `counted_in`. */
  async function countedPosts(workspace_id: string) {
    const { count } = await now()
      .t.deps.db.selectFrom('post')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .where('counted_in', 'is not', null)
      .executeTakeFirstOrThrow()
    return count
  }

  return { newPlan, changeLimits, put, withPlan, inHours, countedPosts }
}

export const meterOf = async (who: Person, name: MeterName) => {
  const { meters } = expectStatus(await who.get('/api/v1/workspace/usage'), 200).body
  const { meter, used, limit } = meters.find((row: { meter: string }) => row.meter === name)
  return { meter, used, limit }
}

export const write = (who: Person, account: string, more: object = {}) =>
  who.post('/api/v1/posts', { content: 'Hello', account_ids: [account], ...more })
