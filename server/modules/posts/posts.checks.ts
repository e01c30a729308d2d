import { sql } from 'kysely'
import { MINUTE } from '../../../shared/time.ts'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { selectDuePosts } from './publishing/select-due-posts.ts'

/** Time in which a post is retried, or waits for a limit of its network. */
const LATE_MIN = 5
const VERY_LATE_MIN = 60

const overdue = check({
  name: 'overdue_posts',
  group: 'work',
  outcomes: {
    ok: ok('No post is overdue.'),
    stopped: ok('Posts that go out when Meydan starts: {{count}}.'),
    late: warning(
      'Posts that are more than {{limit}} min late: {{count}}. The oldest was due {{minutes}} min ago.',
      'They may wait for a limit of their network. If they become more, see in the log of the workers why.',
    ),
    very_late: error(
      'Posts that are more than {{limit}} min late: {{count}}. The oldest was due {{minutes}} min ago.',
      'See whether a worker runs, and in its log why it does not publish them.',
    ),
  },
  find: async ({ database, now, isServing }) => {
    const limitOf = (minutes: number) => new Date(now().getTime() - minutes * MINUTE)
    const { count, oldest } = await selectDuePosts(database(), limitOf(LATE_MIN))
      .select(sql<number>`count(*)::int`.as('count'))
      .select(sql<Date | null>`min(scheduled_at)`.as('oldest'))
      .executeTakeFirstOrThrow()
    if (!oldest) return { outcome: 'ok' }
    if (!isServing) return { outcome: 'stopped', values: { count } }
    const minutes = Math.floor((now().getTime() - oldest.getTime()) / MINUTE)
    return { outcome: minutes >= VERY_LATE_MIN ? 'very_late' : 'late', values: { count, minutes, limit: LATE_MIN } }
  },
})

export const postChecks = [overdue]
