import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf, serverTime } from '../calls/call.ts'
import type { ContainerState } from '../meta/containers.ts'
import { idOf } from '../meta/graph.ts'
import { NetworkFault, type OpenAccount, type Part } from '../network.ts'
import { lettersOf } from '../text/letters.ts'
import { ask, replyTo } from './api.ts'

export async function stateOf(deps: Deps, account: OpenAccount, id: string): Promise<ContainerState> {
  const { status, error_message } = await ask(deps, account, {
    path: `/${id}`,
    params: { fields: 'status,error_message' },
  })
  return { status, reason: error_message }
}

type Sought = { creation_id: string; part: Part; isReply: boolean; begunAt: Date }

/** Asks the container whether it was published. It does not name its post, which is found by text and time. */
export async function findPublished(
  deps: Deps,
  account: OpenAccount,
  { creation_id, part, isReply, begunAt }: Sought,
): Promise<{ id: string } | 'absent'> {
  const { status } = await stateOf(deps, account, creation_id)
  if (status !== 'PUBLISHED') return 'absent'
  const path = `/${account.account.external_id}/${isReply ? 'replies' : 'threads'}`
  const reply = await replyTo(deps, account, { path, params: { fields: 'id,text,timestamp', limit: 100 } })
  const { data } = fieldsOf(jsonOf(reply))
  const since = serverTime(deps, reply, begunAt).getTime()
  const found = (Array.isArray(data) ? data.map(fieldsOf) : []).find(
    ({ text, timestamp }) =>
      Date.parse(String(timestamp)) >= since &&
      lettersOf(typeof text === 'string' ? text : '') === lettersOf(part.text),
  )
  if (found) return { id: idOf(found) }
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Threads published the post, and does not list it yet.' })
}
