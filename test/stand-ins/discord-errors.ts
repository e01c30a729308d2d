import { type Errors, flatErrors } from './discord-checks.ts'
import type { Call, Reply } from './server.ts'

const statuses: Record<number, [message: string, code: number]> = {
  400: ['Invalid Form Body', 50035],
  401: ['Invalid Webhook Token', 50027],
  403: ['Missing Permissions', 50013],
  404: ['Unknown Webhook', 10015],
  405: ['405: Method Not Allowed', 0],
  413: ['Request entity too large', 40005],
}

export const refusal = (
  status: number,
  message = statuses[status]?.[0] ?? `${status}`,
  code = statuses[status]?.[1] ?? 0,
) => ({
  status,
  body: { message, code },
})

/**
 * Since version 8, times are in seconds and errors nested. An address without a version is version 6, which has
 * milliseconds and flat texts.
 */
export const isLegacy = (path: string) => Number(/^\/api\/v(\d+)\//.exec(path)?.[1] ?? 6) < 8

export const invalidForm = ({ path }: Call, errors: Errors): Reply =>
  isLegacy(path) ? { status: 400, body: flatErrors(errors) } : { status: 400, body: { ...refusal(400).body, errors } }

/** Discord reports a limit with decimals in the body, and rounds up in the header. */
export function limited(seconds: number, isOld = false): Reply {
  const unit = isOld ? 1000 : 1
  return {
    status: 429,
    body: {
      message: 'You are being rate limited.',
      retry_after: Math.round(seconds * unit * 1000) / 1000,
      global: false,
    },
    headers: {
      'retry-after': String(Math.ceil(seconds) * unit),
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': String(seconds),
      'x-ratelimit-bucket': 'stand-in',
      'x-ratelimit-scope': 'user',
    },
  }
}
