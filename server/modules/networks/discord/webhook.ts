import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, jsonOf } from '../calls/call.ts'
import { callWithForm, type FormPart } from '../calls/multipart.ts'
import { NetworkFault } from '../network.ts'

/** A webhook. Whoever knows the token can post through it. */
export type Webhook = { id: string; token: string }

const API = 'https://discord.com/api/v10'

/** Codes of a webhook that was deleted, or whose token is wrong. Calling it again can block the address of the server. */
const DEAD = [10015, 50027]

/** The problems of a refused message: texts in `_errors`, at any depth, below the names of their fields. */
function problemsOf(errors: unknown, path: string[] = []): string[] {
  return Object.entries(fieldsOf(errors)).flatMap(([key, value]) =>
    key === '_errors' && Array.isArray(value)
      ? value.map((each) => `${path.join('.')}: ${fieldsOf(each).message}`)
      : path.length < 10
        ? problemsOf(value, [...path, key])
        : [],
  )
}

function faultOf(reply: Reply, token: string, now: Date) {
  const { message, code, errors, retry_after } = fieldsOf(jsonOf(reply))
  const described =
    typeof message === 'string'
      ? [message, ...problemsOf(errors)].join(' ').replaceAll(token, '…')
      : `Discord responded with status ${reply.status}.`
  if (typeof code === 'number' && DEAD.includes(code))
    return new NetworkFault({ kind: 'unauthorized', message: described })
  const retry_after_s = typeof retry_after === 'number' ? retry_after : undefined
  return new Refused(faultOfReply(reply, { message: described, retry_after_s }, now), code)
}

class Refused extends NetworkFault {
  readonly code: unknown
  constructor({ failure }: NetworkFault, code: unknown) {
    super(failure)
    this.code = code
  }
}

/** Whether Discord refused a call with one of these codes. */
export const isRefusal = (thrown: unknown, codes: number[]) =>
  thrown instanceof Refused && typeof thrown.code === 'number' && codes.includes(thrown.code)

type Request = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the address of the webhook, such as `/messages/1`. */
  path?: string
  query?: Record<string, string | undefined>
  json?: object
  files?: FormPart[]
}

/** Calls a webhook. Throws a `NetworkFault`. No message of an error contains the token. */
export async function callWebhook(
  deps: Deps,
  { id, token }: Webhook,
  { method, path = '', query = {}, json, files = [] }: Request,
): Promise<Record<string, unknown>> {
  const url = new URL(`${API}/webhooks/${id}/${token}${path}`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  const request = { url: url.href, method, originKey: 'discord' } as const
  const reply =
    files.length === 0
      ? await call(deps, { ...request, json })
      : await callWithForm(deps, request, [
          { name: 'payload_json', value: JSON.stringify(json), mime: 'application/json' },
          ...files,
        ])
  if (reply.status >= 200 && reply.status < 300) return fieldsOf(jsonOf(reply))
  throw faultOf(reply, token, deps.clock.now())
}
