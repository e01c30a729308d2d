import { sql } from 'kysely'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { isHeld } from './hold.ts'

const workers = check({
  name: 'workers',
  group: 'work',
  outcomes: {
    ok: ok('Processes that run jobs: {{count}}.'),
    stopped: ok('Meydan is stopped.'),
    held: warning(
      'The installation was restored from a backup and is held: nothing is published, sent or charged.',
      'Open the page “Restore”, see what would go out, and release it.',
    ),
    none: error(
      'No process runs jobs: nothing is published, and no webhook or e-mail is sent.',
      'Start a process with ROLE=all or ROLE=worker, and see in its log why the former one ended.',
    ),
  },
  find: async ({ database, isServing }) => {
    const db = database()
    if (await isHeld(db)) return { outcome: 'held' }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from worker_node where seen_at > now() - interval '1 minute'`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) return { outcome: 'ok', values: { count } }
    return { outcome: isServing ? 'none' : 'stopped' }
  },
})

export const installationChecks = [workers]
