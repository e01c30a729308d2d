import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams } from '../../lib/schema.ts'
import { Mail, outboxFilters } from './mail.schema.ts'
import { listMails, readMail, retryMail } from './outbox.ts'

export function mailRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Outbox')

  route.get('/admin/outbox', {
    operationId: 'listOutbox',
    summary: 'List the mails that Meydan wrote in the last 90 days, newest first',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...outboxFilters }),
    response: { 200: Page(Mail) },
    handler: ({ db, query }) => page(listMails(db, query), 'mail.id', query),
  })
  route.get('/admin/outbox/:id', {
    operationId: 'readOutboxMail',
    summary: 'Read one mail',
    access: instanceAdmin(),
    params: IdParams,
    response: { 200: Mail },
    handler: ({ db, params }) => readMail(db, params.id),
  })
  route.post('/admin/outbox/:id/retry', {
    operationId: 'retryOutboxMail',
    summary: 'Send a mail that failed or was kept',
    description: 'It gets the whole schedule of attempts again. Without a mail server it stays as it is: 409.',
    access: instanceAdmin(),
    params: IdParams,
    response: { 200: Mail },
    handler: ({ deps, caller, params }) => retryMail(deps, caller, params.id),
  })
}
