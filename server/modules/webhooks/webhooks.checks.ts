import { sql } from 'kysely'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { deliveryBacklog } from './delivery/delivery-backlog.ts'

const LATE_S = 60
const VERY_LATE_S = 600

const due = check({
  name: 'webhooks_due',
  group: 'work',
  outcomes: {
    ok: ok('No delivery to a healthy webhook waits for long.'),
    stopped: ok('Deliveries wait until Meydan starts, the oldest for {{seconds}} s.'),
    late: warning(
      'The oldest due delivery to a healthy webhook has waited for {{seconds}} s.',
      'Add a process with ROLE=worker if this goes on.',
    ),
    very_late: error(
      'The oldest due delivery to a healthy webhook has waited for {{seconds}} s.',
      'See whether a worker runs, and what its log says.',
    ),
  },
  find: async ({ database, isServing }) => {
    const { rows } = await deliveryBacklog.query.execute(database())
    const seconds = Math.round(Number(rows[0]?.webhooks_oldest_due_seconds ?? 0))
    if (seconds < LATE_S) return { outcome: 'ok' }
    if (!isServing) return { outcome: 'stopped', values: { seconds } }
    return { outcome: seconds < VERY_LATE_S ? 'late' : 'very_late', values: { seconds } }
  },
})

/** Time for which a server is down for an update. */
const FAILING_MIN = 60

const failing = check({
  name: 'webhooks_failing',
  group: 'work',
  outcomes: {
    ok: ok('No webhook has failed for long.'),
    some: warning(
      'Webhooks that have failed for more than {{limit}} min: {{count}}. The first is of {{workspace}}, and calls {{host}}.',
      'The owners of their workspaces get an e-mail. If the webhooks of several workspaces fail, see whether this machine reaches the internet.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{ count: number; workspace: string | null; url: string | null }>`
      select count(*)::int as count, (array_agg(workspace.name order by first_failure_at))[1] as workspace,
        (array_agg(webhook.url order by first_failure_at))[1] as url
      from webhook join webhook_health on webhook_health.webhook_id = webhook.id
      join workspace on workspace.id = webhook.team_id
      where active and first_failure_at < now() - make_interval(mins => ${FAILING_MIN})`.execute(database())
    const { count = 0, workspace, url } = rows[0] ?? {}
    if (count === 0 || !url) return { outcome: 'ok' }
    return {
      outcome: 'some',
      values: { count, limit: FAILING_MIN, workspace: workspace ?? '–', host: new URL(url).host },
    }
  },
})

export const webhookChecks = [due, failing]
