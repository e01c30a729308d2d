import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams } from '../../lib/schema.ts'
import { Mail } from './mail.schema.ts'
import { listMails, readMail } from './mail.ts'

export function mailRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Outbox')

  route.get('/admin/outbox', {
    operationId: 'listOutbox',
    summary: 'List the mails that Meydan wrote, newest first',
    access: instanceAdmin(),
    query: Closed(PageQuery),
    response: { 200: Page(Mail) },
    handler: ({ db, query }) => page(listMails(db), 'mail.id', query),
  })
  route.get('/admin/outbox/:id', {
    operationId: 'readOutboxMail',
    summary: 'Read one mail',
    access: instanceAdmin(),
    params: IdParams,
    response: { 200: Mail },
    handler: ({ db, params }) => readMail(db, params.id),
  })
}
