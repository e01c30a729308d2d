import { MINUTE } from '../../../../shared/time'
import { queryClient, type Workspace } from '../../../api'
import { moveWall, toWall, type Wall } from '../../../ui/text/time-zone'
import { queueQuery } from '../queue/queries'

/** The span in which a free slot is looked for, the longest that the API returns. */
const SPAN = 62 * 24 * 60 * MINUTE

/**
 * The time of the post after one that was scheduled at `time`: the next free slot of its first account, or the same
 * time of the next day.
 */
export async function nextTime(
  { slug, timezone }: Workspace,
  account: string | undefined,
  time: string,
): Promise<Wall> {
  const from = Date.parse(time) + MINUTE
  const span = { from: new Date(from).toISOString(), to: new Date(from + SPAN).toISOString() }
  const queue = account && (await queryClient.fetchQuery(queueQuery(slug, account, span)).catch(() => undefined))
  const free = queue ? queue.data.find(({ post }) => post === null) : undefined
  return free ? toWall(timezone, free.time) : moveWall(toWall(timezone, time), { days: 1 })
}
