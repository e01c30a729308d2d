import type { FastifyReply } from 'fastify'
import type { Clock } from '../../runtime/clock.ts'
import { rateLimit } from './rate-limit.ts'

/**
 * Limits calls of one kind that cost more than others, for each `key` and minute, in this process. The response has the
 * headers of this limit in place of those for all calls.
 */
export function callLimit(name: string, quota: number, clock: Clock) {
  const count = rateLimit(name, quota, clock)
  return (key: string, reply: FastifyReply) => {
    const counted = count?.(key)
    if (!counted) return
    reply.headers(counted.headers)
    if (counted.exceeded) throw counted.exceeded
  }
}
