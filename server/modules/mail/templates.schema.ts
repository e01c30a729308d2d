import { Type } from 'typebox'
import { emailPattern } from '../../lib/email.ts'
import { Closed, Id, Line, nullable, Time } from '../../lib/schema.ts'
import { mailStates } from './mail.schema.ts'

export const namePattern = '^[a-z][a-z0-9_]{0,59}$'

const Key = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[a-z0-9][a-z0-9-]{0,59}$',
  description: 'Which mail it is: one of `GET /email-templates/keys`, or a name of your own',
})
const Locale = Type.String({
  minLength: 1,
  maxLength: 35,
  description: 'Language tag (BCP 47), such as tr or en-GB; `default` for whoever has no text in their own language',
})
const Subject = Line('Subject', 300)
const BodyHtml = Type.String({
  minLength: 1,
  maxLength: 200_000,
  description: 'HTML with placeholders such as {{user_name}}; their values are escaped',
})
const BodyText = Type.String({
  maxLength: 100_000,
  description: 'The same as plain text; without it, it is made from the HTML',
})
const Description = Type.String({ maxLength: 500, description: 'What it is for, in your own words' })
const VariableName = Type.String({ maxLength: 60, pattern: namePattern })

export const EmailTemplate = Type.Object(
  {
    id: Id,
    key: Key,
    locale: Locale,
    subject: Subject,
    body_html: BodyHtml,
    body_text: nullable(BodyText),
    description: nullable(Description),
    warnings: Type.Array(VariableName, {
      maxItems: 50,
      description: 'Variables that only mails with this key have, and that the template does not use',
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
  { title: 'EmailTemplateChanges' },
)

const Text = Type.Object({
  subject: Type.String({ maxLength: 300 }),
  body_html: Type.String({ maxLength: 200_000 }),
  body_text: Type.String({ maxLength: 100_000 }),
})
export const EmailTemplateKey = Type.Object(
  {
    key: Key,
    description: Type.String({ maxLength: 200, description: 'When Meydan writes this mail' }),
    variables: Type.Array(
      Type.Object({
        name: VariableName,
        description: Type.String({ maxLength: 200 }),
        sample: Type.String({ maxLength: 300, description: 'What previews show' }),
      }),
      { maxItems: 50 },
    ),
    texts: Type.Object(
      { default: Text, en: Text, tr: Text },
      { description: "Meydan's own texts, which are sent where no template is stored" },
    ),
  },
  { title: 'EmailTemplateKey' },
)

const Variables = Type.Record(Type.String({ pattern: namePattern }), Type.String({ maxLength: 2000 }), {
  additionalProperties: false,
  maxProperties: 50,
  description: 'Values to show instead of the samples',
})
export const PreviewInput = Closed({ variables: Type.Optional(Variables) }, { title: 'EmailTemplatePreviewInput' })
export const DraftPreviewInput = Closed(
  { ...fields, variables: Type.Optional(Variables) },
  { title: 'EmailTemplateDraft' },
)
export const Preview = Type.Object(
  {
    subject: Type.String({ maxLength: 1000 }),
    body_html: Type.String({ maxLength: 1_000_000 }),
    body_text: Type.String({ maxLength: 1_000_000 }),
    missing: Type.Array(VariableName, {
      maxItems: 200,
      description: 'Variables without a value: nothing stands there',
    }),
    warnings: EmailTemplate.properties.warnings,
  },
  { title: 'EmailTemplatePreview' },
)
export const SendTestInput = Closed(
  {
    to: Type.Optional(
      Type.String({
        format: 'email',
        pattern: emailPattern,
        maxLength: 254,
        description: 'Your own address when absent',
      }),
    ),
    variables: Type.Optional(Variables),
  },
  { title: 'EmailTemplateTestInput' },
)
export const SentTest = Type.Object(
  { mail_id: Id, state: Type.Enum([...mailStates], { type: 'string', description: 'As in the outbox' }) },
  { title: 'EmailTemplateTest' },
)

export const templateFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Part of key, locale, subject or description, in letters of either case',
    }),
  ),
  key: Type.Optional(Type.String({ maxLength: 60 })),
  locale: Type.Optional(Type.String({ maxLength: 35 })),
}
