import type { FastifyReply } from 'fastify'
import type { Clock } from '../../runtime/clock.ts'
import type { User } from '../access.ts'
import { callLimit } from './call-limit.ts'

const TESTS_A_MINUTE = 5

/** Limits tests of one kind for each admin: a test calls another server. */
export function testLimit(name: string, clock: Clock) {
  const count = callLimit(name, TESTS_A_MINUTE, clock)
  return ({ user_id }: Pick<User, 'user_id'>, reply: FastifyReply) => count(user_id, reply)
}
