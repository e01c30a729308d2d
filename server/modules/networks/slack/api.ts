import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, jsonOf } from '../calls/call.ts'
import { type Failure, NetworkFault } from '../network.ts'

const API = 'https://slack.com/api'

/** Errors that end with the account connected again. */
const REVOKED = [
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'team_access_not_granted',
  'invalid_token',
  'no_service',
  'no_service_id',
  'no_active_hooks',
  'no_team',
  'team_disabled',
]
/** Errors after which some of the work may have been done, as Slack documents them. */
const UNCERTAIN = ['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable', 'rollup_error']
const LIMITED = ['ratelimited', 'rate_limited']

/** Explanations of codes that are unclear by themselves. */
const meanings: Record<string, string> = {
  not_in_channel: 'The bot is not in the channel. Invite it there with /invite.',
  channel_not_found: 'Slack does not find the channel, or the bot is not in it.',
  is_archived: 'The channel is archived.',
  channel_is_archived: 'The channel is archived.',
  restricted_action: 'A setting of the workspace does not let the bot post here.',
  action_prohibited: 'A setting of the workspace does not let this webhook post here.',
  posting_to_general_channel_denied: 'A setting of the workspace does not let it post here.',
  file_uploads_disabled: 'The workspace has turned off uploads.',
  file_upload_size_restricted: 'The file is larger than the workspace allows.',
  msg_too_long: 'The text is too long.',
  cant_update_message: 'Slack does not let the bot change this message.',
  cant_delete_message: 'Slack does not let the bot delete this message.',
}

class Refused extends NetworkFault {
  readonly code: string
  constructor(failure: Failure, code: string) {
    super(failure)
    this.code = code
  }
}

export const isRefusal = (thrown: unknown, code: string) => thrown instanceof Refused && thrown.code === code

/** The fault of an error code. `needed`: the scope that the token lacks. */
export function faultOf(reply: Reply, { code, needed }: { code: string; needed?: unknown }, now: Date) {
  const scope = typeof needed === 'string' ? ` The app needs the scope ${needed}.` : ''
  const message = `${meanings[code] ?? ''}${scope} (${code})`.trim()
  const status = LIMITED.includes(code)
    ? 429
    : UNCERTAIN.includes(code)
      ? 500
      : reply.status === 200
        ? 400
        : reply.status
  if (REVOKED.includes(code)) return new Refused({ kind: 'unauthorized', message }, code)
  return new Refused(faultOfReply({ ...reply, status }, { message }, now).failure, code)
}

/** Calls a method. Slack reports most errors with status 200. Throws a `NetworkFault`. */
export async function callMethod(
  deps: Deps,
  token: string,
  method: string,
  fields: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const reply = await call(deps, {
    url: `${API}/${method}`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    // Every method takes a form; some ignore JSON.
    body: form.toString(),
    originKey: 'slack.api',
  })
  const body = fieldsOf(jsonOf(reply))
  if (reply.status === 200 && body.ok === true) return body
  const now = deps.clock.now()
  if (typeof body.error === 'string') throw faultOf(reply, { code: body.error, needed: body.needed }, now)
  throw faultOfReply(reply, { message: `Slack responded with status ${reply.status}.` }, now)
}

/** The text as Slack shows it again: it reads links, mentions and commands between `<` and `>`. */
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
