import { Type } from 'typebox'
import { Closed, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { mailStates } from '../outbox/outbox.schema.ts'

const namePattern = '^[a-z][a-z0-9_]{0,59}$'

const Key = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[a-z0-9][a-z0-9-]{0,59}$',
  description: 'Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own.',
  examples: ['order-ready'],
})
const Locale = Type.String({
  minLength: 1,
  maxLength: 35,
  description:
    'Language tag (BCP 47), such as `tr` or `en-GB`. `default` is used for recipients without a template in their language.',
  examples: ['tr'],
})
const Subject = Line('Subject', 'Your order is ready, {{user_name}}', 300)
const BodyHtml = Type.String({
  minLength: 1,
  maxLength: 200_000,
  description: 'HTML with placeholders such as `{{user_name}}`. Their values are escaped.',
  examples: ['<p>Your order is ready, {{user_name}}.</p>'],
})
const BodyText = Type.String({
  maxLength: 100_000,
  description: 'Plain text with placeholders. If omitted, it is derived from the HTML.',
})
const Description = Type.String({ maxLength: 500, description: 'Note for your own use.' })
const VariableName = Type.String({ maxLength: 60, pattern: namePattern, examples: ['user_name'] })

export const EmailTemplate = Type.Object(
  {
    id: idOf('email-template'),
    key: Key,
    locale: Locale,
    subject: Subject,
    body_html: BodyHtml,
    body_text: nullable(BodyText),
    description: nullable(Description),
    warnings: Type.Array(VariableName, {
      maxItems: 50,
      description: 'Variables specific to this key that the template does not use.',
      examples: [[]],
    }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'EmailTemplate' },
)
const fields = {
  key: Key,
  locale: Locale,
  subject: Subject,
  body_html: BodyHtml,
  body_text: Type.Optional(nullable(BodyText)),
}
export const NewEmailTemplate = Closed(
  {
    ...fields,
    locale: Type.Optional(Type.Unsafe<string>({ ...Locale, default: 'default' })),
    description: Type.Optional(nullable(Description)),
  },
  { title: 'NewEmailTemplate' },
)
export const EmailTemplateChanges = Closed(
  {
    key: Type.Optional(Key),
    locale: Type.Optional(Locale),
    subject: Type.Optional(Subject),
    body_html: Type.Optional(BodyHtml),
    body_text: Type.Optional(nullable(BodyText)),
    description: Type.Optional(nullable(Description)),
  },
  { title: 'EmailTemplateChanges', examples: [{ subject: 'Your order is ready' }] },
)

const Text = Type.Object({
  subject: Type.String({ maxLength: 300, examples: ['Hello {{user_name}}'] }),
  body_html: Type.String({ maxLength: 200_000, examples: ['<p>Hello {{user_name}}</p>'] }),
  body_text: Type.String({ maxLength: 100_000, examples: ['Hello {{user_name}}'] }),
})
export const EmailTemplateKey = Type.Object(
  {
    key: Key,
    description: Type.String({
      maxLength: 200,
      description: 'Purpose of the e-mail.',
      examples: ['Invites somebody to a workspace.'],
    }),
    variables: Type.Array(
      Type.Object({
        name: VariableName,
        description: Type.String({ maxLength: 200, examples: ['Name of the recipient.'] }),
        sample: Type.String({ maxLength: 300, description: 'Sample value, used in previews.', examples: ['Ada'] }),
      }),
      { maxItems: 50 },
    ),
    texts: Type.Object(
      { default: Text, en: Text, tr: Text },
      { description: 'Built-in texts, sent where no template is stored.' },
    ),
  },
  { title: 'EmailTemplateKey' },
)

const Variables = Type.Record(Type.String({ pattern: namePattern }), Type.String({ maxLength: 2000 }), {
  additionalProperties: false,
  maxProperties: 50,
  description: 'Values to use instead of the samples.',
  examples: [{ user_name: 'Deniz' }],
})
export const PreviewInput = Closed({ variables: Type.Optional(Variables) }, { title: 'EmailTemplatePreviewInput' })
export const DraftPreviewInput = Closed(
  { ...fields, variables: Type.Optional(Variables) },
  { title: 'EmailTemplateDraft' },
)
export const Preview = Type.Object(
  {
    subject: Type.String({ maxLength: 1000, examples: ['Your order is ready, Deniz'] }),
    body_html: Type.String({ maxLength: 1_000_000, examples: ['<p>Your order is ready, Deniz.</p>'] }),
    body_text: Type.String({ maxLength: 1_000_000, examples: ['Your order is ready, Deniz.'] }),
    missing: Type.Array(VariableName, {
      maxItems: 200,
      description: 'Variables without a value. They are replaced by nothing.',
      examples: [[]],
    }),
    warnings: EmailTemplate.properties.warnings,
  },
  { title: 'EmailTemplatePreview' },
)
export const SendTestInput = Closed(
  {
    to: Type.Optional(
      Type.String({
        format: 'idn-email',
        maxLength: 254,
        examples: ['ada@example.com'],
        description: 'Recipient. Defaults to your own address.',
      }),
    ),
    variables: Type.Optional(Variables),
  },
  { title: 'EmailTemplateTestInput' },
)
export const SentTest = Type.Object(
  {
    mail_id: idOf('mail'),
    state: Type.Enum([...mailStates], { type: 'string', description: 'State of the e-mail in the outbox.' }),
  },
  { title: 'EmailTemplateTest' },
)

export const templateFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns only templates whose key, locale, subject or description contains this. Case is ignored.',
    }),
  ),
  key: Type.Optional(Type.String({ maxLength: 60 })),
  locale: Type.Optional(Type.String({ maxLength: 35 })),
}
