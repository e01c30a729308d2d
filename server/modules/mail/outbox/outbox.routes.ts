import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { Mail, outboxFilters } from './outbox.schema.ts'
import { listMails, readMail, retryMail } from './outbox.ts'

export function outboxRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Outbox')

  route.get('/admin/outbox', {
    operationId: 'listOutbox',
    summary: 'List e-mails in the outbox',
    description: 'Returns the e-mails that Meydan wrote in the last 90 days, newest first.',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...outboxFilters }),
    response: { 200: Page(Mail) },
    handler: ({ db, query }) => listMails(db, query),
  })
  route.get('/admin/outbox/:id', {
    operationId: 'readOutboxMail',
    summary: 'Retrieve an e-mail',
    access: instanceAdmin(),
    params: idParams('mail'),
    response: { 200: Mail },
    handler: ({ db, params }) => readMail(db, params.id),
  })
  route.post('/admin/outbox/:id/retry', {
    operationId: 'retryOutboxMail',
    summary: 'Retry an e-mail',
    description:
      'Queues an e-mail that failed or was kept, with the full retry schedule. Without a mail server the response is 409 and nothing changes.',
    access: instanceAdmin(),
    params: idParams('mail'),
    response: { 200: Mail },
    handler: ({ deps, caller, params }) => retryMail(deps, caller, params.id),
  })
}
