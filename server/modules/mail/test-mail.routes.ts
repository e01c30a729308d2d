import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin } from '../../lib/http/access.ts'
import { testLimit } from '../../lib/http/limits/test-limit.ts'
import { routes } from '../../lib/http/route.ts'
import { TestMail, TestMailInput } from './test-mail.schema.ts'
import { sendTestMail } from './test-mail.ts'

export function testMailRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Options')
  const countTest = testLimit('mail-test', deps.clock)

  route.post('/options/test/mail', {
    operationId: 'testMail',
    summary: 'Send a test e-mail',
    description:
      'Sends one e-mail with the current options, without retries and without the outbox. If the mail server rejects it or does not respond within 15 seconds, the response has `ok: false` and the reason. At most 5 tests a minute.',
    access: instanceAdmin(),
    body: TestMailInput,
    response: { 200: TestMail },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      countTest(caller, reply)
      return sendTestMail(deps, caller, body, complete)
    },
  })
}
