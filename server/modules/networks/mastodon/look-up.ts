import { withShortMentions } from '../../../../shared/text/counting.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf, serverTime } from '../calls/call.ts'
import type { Publication } from '../network.ts'
import { lettersOf } from '../text/letters.ts'
import { idOf } from './connect.ts'
import { ask, type Body, type Status, statusOf } from './server.ts'

type Sought = { body: Body; begunAt: Date }

/** Looks for a part among the newest posts of the account. Mastodon stores no key that Meydan could look for. */
export async function findStatus(
  deps: Deps,
  publication: Publication,
  { body: { status: text, in_reply_to_id, media_ids = [] }, begunAt }: Sought,
): Promise<Status | 'absent'> {
  const path = `/api/v1/accounts/${idOf(publication.account)}/statuses?limit=40&exclude_reblogs=true`
  const reply = await ask(deps, publication, path)
  const list = jsonOf(reply)
  const { Parser } = await import('htmlparser2')
  const since = serverTime(deps, reply, begunAt).getTime()
  const match = (Array.isArray(list) ? list : []).map(fieldsOf).find((status) => {
    const files = Array.isArray(status.media_attachments) ? status.media_attachments.length : 0
    return (
      Date.parse(String(status.created_at)) >= since &&
      (status.in_reply_to_id ?? undefined) === in_reply_to_id &&
      files === media_ids.length &&
      lettersOf(textOf(Parser, String(status.content))) === lettersOf(withShortMentions(text))
    )
  })
  if (!match) return 'absent'
  return statusOf(match)
}

function textOf(Parser: typeof import('htmlparser2').Parser, html: string) {
  let text = ''
  const parser = new Parser({
    ontext: (part) => {
      text += part
    },
  })
  parser.end(html)
  return text
}
