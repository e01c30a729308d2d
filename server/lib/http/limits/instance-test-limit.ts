import type { FastifyReply } from 'fastify'
import type { Clock } from '../../runtime/clock.ts'
import type { User } from '../access.ts'
import { rateLimit } from './rate-limit.ts'

const TESTS_A_MINUTE = 5

/**
 * Limits tests of one kind for each instance admin: a test calls another server. The response has the headers of this
 * limit in place of those for all calls.
 */
export function instanceTestLimit(name: string, clock: Clock) {
  const count = rateLimit(name, TESTS_A_MINUTE, clock)
  return ({ user_id }: Pick<User, 'user_id'>, reply: FastifyReply) => {
    const counted = count?.(user_id)
    if (!counted) return
    reply.headers(counted.headers)
    if (counted.exceeded) throw counted.exceeded
  }
}
