import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { rateLimit } from '../../lib/rate-limit.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import {
  DraftPreviewInput,
  EmailTemplate,
  EmailTemplateChanges,
  EmailTemplateKey,
  NewEmailTemplate,
  Preview,
  PreviewInput,
  SendTestInput,
  SentTest,
  templateFilters,
} from './templates.schema.ts'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listKeys,
  listTemplates,
  previewDraft,
  previewTemplate,
  readTemplate,
  sendTest,
  withWarnings,
} from './templates.ts'

const TESTS_A_MINUTE = 5

export function templateRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'E-mail templates')
  const tests = rateLimit('template-test', TESTS_A_MINUTE, deps.clock)

  route.get('/email-templates', {
    operationId: 'listEmailTemplates',
    summary: 'List stored e-mail templates, newest first',
    description: "Meydan's own texts stand behind them and are not listed: `GET /email-templates/keys` has them.",
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...templateFilters }),
    response: { 200: Page(EmailTemplate) },
    handler: async ({ db, query }) => {
      const { data, next_cursor } = await page(listTemplates(db, query), 'email_template.id', query)
      return { data: data.map(withWarnings), next_cursor }
    },
  })
  route.get('/email-templates/keys', {
    operationId: 'listEmailTemplateKeys',
    summary: "List the mails that Meydan writes, each with its variables and Meydan's own texts",
    access: instanceAdmin(),
    response: {
      200: Type.Object({ data: Type.Array(EmailTemplateKey, { maxItems: 100 }), next_cursor: Type.Null() }),
    },
    handler: () => ({ data: listKeys(), next_cursor: null }),
  })
  route.get('/email-templates/:id', {
    operationId: 'readEmailTemplate',
    summary: 'Read one e-mail template',
    access: instanceAdmin(),
    params: IdParams,
    response: { 200: EmailTemplate },
    handler: ({ db, params }) => readTemplate(db, params.id),
  })
  route.post('/email-templates', {
    operationId: 'createEmailTemplate',
    summary: 'Create an e-mail template: the text of one mail in one language',
    description:
      'A placeholder is `{{name}}`. One that the key does not have, other syntax, and places where a value could do more than be read (a tag, an attribute without quotes, a style, a script, a comment) are refused.',
    access: instanceAdmin(),
    body: NewEmailTemplate,
    response: { 201: EmailTemplate },
    handler: ({ db, caller, body }) => createTemplate(db, caller, body),
  })
  route.put('/email-templates/:id', {
    operationId: 'changeEmailTemplate',
    summary: 'Change an e-mail template',
    description: 'What is absent stays as it is. Mails that wait in the outbox keep their text.',
    access: instanceAdmin(),
    params: IdParams,
    body: EmailTemplateChanges,
    response: { 200: EmailTemplate },
    handler: ({ db, caller, params, body, ifMatch }) => changeTemplate(db, caller, params.id, body, ifMatch),
  })
  route.delete('/email-templates/:id', {
    operationId: 'deleteEmailTemplate',
    summary: 'Delete an e-mail template',
    description: 'The next one for the recipient is sent instead, in the end the text of Meydan itself.',
    access: instanceAdmin(),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteTemplate(db, caller, params.id),
  })
  route.post('/email-templates/preview', {
    operationId: 'previewEmailTemplateDraft',
    summary: 'Show what a template would look like, without saving it',
    access: instanceAdmin(),
    body: DraftPreviewInput,
    response: { 200: Preview },
    handler: ({ deps, caller, body }) => previewDraft(deps, caller, body),
  })
  route.post('/email-templates/:id/preview', {
    operationId: 'previewEmailTemplate',
    summary: 'Show what a template looks like',
    access: instanceAdmin(),
    params: IdParams,
    body: PreviewInput,
    response: { 200: Preview },
    handler: ({ deps, caller, params, body }) => previewTemplate(deps, caller, params.id, body),
  })
  route.post('/email-templates/:id/send-test', {
    operationId: 'sendEmailTemplateTest',
    summary: 'Mail a template with sample values',
    description: 'Through the outbox as every mail. At most 5 a minute.',
    access: instanceAdmin(),
    params: IdParams,
    body: SendTestInput,
    response: { 200: SentTest },
    handler: ({ deps, caller, params, body }) => {
      const exceeded = tests?.(caller.user_id).exceeded
      if (exceeded) throw exceeded
      return sendTest(deps, caller, params.id, body)
    },
  })
}
