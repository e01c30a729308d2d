import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { testLimit } from '../../../lib/http/limits/test-limit.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
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

export function templateRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'E-mail templates')
  const countTest = testLimit('template-test', deps.clock)

  route.get('/email-templates', {
    operationId: 'listEmailTemplates',
    summary: 'List e-mail templates',
    description:
      'Returns the stored templates. The built-in texts, which are used where no template is stored, are in `GET /email-templates/keys`.',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...templateFilters }),
    response: { 200: Page(EmailTemplate) },
    handler: async ({ db, query }) => {
      const { data, next_cursor } = await page(listTemplates(db, query), 'email_template.id', query, {
        db,
        columns: ['body_text', 'body_html'],
      })
      return { data: data.map(withWarnings), next_cursor }
    },
  })
  route.get('/email-templates/keys', {
    operationId: 'listEmailTemplateKeys',
    summary: 'List e-mail keys',
    description: 'Returns every e-mail that Meydan sends, with its variables and built-in texts.',
    access: instanceAdmin(),
    response: {
      200: Type.Object({ data: Type.Array(EmailTemplateKey, { maxItems: 100 }), next_cursor: Type.Null() }),
    },
    handler: () => ({ data: listKeys(), next_cursor: null }),
  })
  route.get('/email-templates/:id', {
    operationId: 'readEmailTemplate',
    summary: 'Retrieve an e-mail template',
    access: instanceAdmin(),
    params: idParams('email-template'),
    response: { 200: EmailTemplate },
    handler: ({ db, params }) => readTemplate(db, params.id),
  })
  route.post('/email-templates', {
    operationId: 'createEmailTemplate',
    summary: 'Create an e-mail template',
    description:
      'Creates the text of one e-mail in one language. Placeholders have the form `{{name}}`. Unknown variables, any other syntax in double braces, and placeholders where a value could act as code (in a tag, an unquoted attribute, a style, a script or a comment) are refused.',
    access: instanceAdmin(),
    body: NewEmailTemplate,
    response: { 201: EmailTemplate },
    handler: ({ db, caller, body }) => createTemplate(db, caller, body),
  })
  route.put('/email-templates/:id', {
    operationId: 'changeEmailTemplate',
    summary: 'Update an e-mail template',
    description: 'Omitted fields do not change. E-mails in the outbox keep their text.',
    access: instanceAdmin(),
    params: idParams('email-template'),
    body: EmailTemplateChanges,
    response: { 200: EmailTemplate },
    handler: ({ db, caller, params, body, ifMatch }) => changeTemplate(db, caller, params.id, body, ifMatch),
  })
  route.delete('/email-templates/:id', {
    operationId: 'deleteEmailTemplate',
    summary: 'Delete an e-mail template',
    description: 'The next matching template is used instead, and finally the built-in text.',
    access: instanceAdmin(),
    params: idParams('email-template'),
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteTemplate(db, caller, params.id),
  })
  route.post('/email-templates/preview', {
    operationId: 'previewEmailTemplateDraft',
    summary: 'Preview an unsaved e-mail template',
    description: 'Renders a template without saving it.',
    access: instanceAdmin(),
    body: DraftPreviewInput,
    response: { 200: Preview },
    handler: ({ deps, caller, body }) => previewDraft(deps, caller, body),
  })
  route.post('/email-templates/:id/preview', {
    operationId: 'previewEmailTemplate',
    summary: 'Preview an e-mail template',
    description: 'Renders a stored template with sample values.',
    access: instanceAdmin(),
    params: idParams('email-template'),
    body: PreviewInput,
    response: { 200: Preview },
    handler: ({ deps, caller, params, body }) => previewTemplate(deps, caller, params.id, body),
  })
  route.post('/email-templates/:id/send-test', {
    operationId: 'sendEmailTemplateTest',
    summary: 'Send a test e-mail from a template',
    description: 'Sends the template with sample values through the outbox. At most 5 tests a minute.',
    access: instanceAdmin(),
    params: idParams('email-template'),
    body: SendTestInput,
    response: { 200: SentTest },
    handler: ({ deps, caller, params, body, reply }) => {
      countTest(caller, reply)
      return sendTest(deps, caller, params.id, body)
    },
  })
}
