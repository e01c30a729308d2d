import { sql } from 'kysely'
import { check, ok, warning } from '../../lib/runtime/checks/check.ts'

const ended = check({
  name: 'accounts',
  group: 'providers',
  outcomes: {
    ok: ok('Connected accounts: {{connected}}. Disconnected ones: {{disconnected}}, for which no post waits.'),
    waiting: warning(
      'Disconnected accounts for which scheduled posts wait: {{count}}. The first is {{account}} of {{workspace}}.',
      'The members of their workspaces get an e-mail, and connect the accounts again. If the accounts of one network end together, see whether it still accepts the app.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{
      connected: number
      disconnected: number
      waiting: number
      account: string | null
      workspace: string | null
    }>`
      select count(*) filter (where status = 'connected')::int as connected,
        count(*) filter (where status = 'disconnected')::int as disconnected,
        count(*) filter (where waits)::int as waiting,
        (array_agg(account.name order by account.id) filter (where waits))[1] as account,
        (array_agg(workspace.name order by account.id) filter (where waits))[1] as workspace
      from account join workspace on workspace.id = account.workspace_id
      cross join lateral (
        select status = 'disconnected' and exists (
          select from post_target join post on post.id = post_target.post_id
          where post_target.account_id = account.id and post_target.status = 'pending'
            and post.status = 'scheduled' and post.deleted_at is null
        ) as waits
      ) as found
      where account.deleted_at is null and workspace.deleted_at is null`.execute(database())
    const { connected = 0, disconnected = 0, waiting = 0, account, workspace } = rows[0] ?? {}
    return waiting === 0
      ? { outcome: 'ok', values: { connected, disconnected } }
      : { outcome: 'waiting', values: { count: waiting, account: account ?? '–', workspace: workspace ?? '–' } }
  },
})

export const accountChecks = [ended]
