import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { rateLimit } from '../../lib/rate-limit.ts'
import { routes } from '../../lib/route.ts'
import { TestMail, TestMailInput } from './test-mail.schema.ts'
import { sendTestMail } from './test-mail.ts'

const TESTS_A_MINUTE = 5

export function testMailRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Options')
  const tests = rateLimit('mail-test', TESTS_A_MINUTE, deps.clock)

  route.post('/options/test/mail', {
    operationId: 'testMail',
    summary: 'Send a mail at once with the options as they are, and tell what came of it',
    description:
      'One mail, without another try, which is not kept in the outbox. A mail server that refuses it or does not answer within 15 seconds is told in the answer. At most 5 a minute.',
    access: instanceAdmin(),
    body: TestMailInput,
    response: { 200: TestMail },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      const count = tests?.(caller.user_id)
      if (count) reply.headers(count.headers)
      if (count?.exceeded) throw count.exceeded
      return sendTestMail(deps, caller, body, complete)
    },
  })
}
