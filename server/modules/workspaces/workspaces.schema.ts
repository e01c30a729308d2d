import { Type } from 'typebox'
import { holidayCountries, NO_HOLIDAYS } from '../../../shared/holidays/country.ts'
import { roles } from '../../lib/http/roles.ts'
import { Closed, exampleId, idOf, Line, linePattern, nullable, Time } from '../../lib/http/schema/schema.ts'
import { Locale, TimeZone } from '../auth/auth.schema.ts'

export const Instance = Type.Object(
  {
    needs_setup: Type.Boolean({
      description: 'Whether the first instance admin must still be created with `POST /setup`.',
      examples: [false],
    }),
    sends_mail: Type.Boolean({ description: 'Whether a mail server is set. Without one, e-mails stay in the outbox.' }),
    sign_up: Type.Enum(['open', 'invitation', 'closed'], {
      type: 'string',
      description: 'Sign-up policy: `open` (anyone), `invitation` (invited addresses only) or `closed` (nobody).',
    }),
  },
  { title: 'Instance' },
)

const WorkspaceName = Line(
  'Name of the workspace. Unique in this instance regardless of case and of letters that look alike',
  'Bakery',
)
const Slug = Type.String({
  pattern: '^[a-z0-9](-?[a-z0-9])+$',
  minLength: 2,
  maxLength: 40,
  description: 'Short name for URLs, unique in this instance: letters a-z, digits and single hyphens between them.',
  examples: ['bakery'],
})
const line = Type.Optional(Type.String({ maxLength: 200, pattern: linePattern }))
export const BillingAddress = Closed(
  { name: line, line1: line, line2: line, city: line, country: line, postal: line, tax_id: line },
  {
    title: 'BillingAddress',
    examples: [{ name: 'Bakery Ltd.', city: 'Istanbul' }],
    description:
      'Billing address, printed on invoices. With a `country` of the European Union or Turkey, `tax_id` must be a valid number there.',
  },
)
const Currency = Type.Enum(['TRY', 'USD'], { type: 'string', description: 'Default currency of the workspace.' })
export const workspaceColors = ['teal', 'blue', 'indigo', 'violet', 'pink', 'red', 'orange', 'green'] as const
const Color = Type.Enum([...workspaceColors], {
  type: 'string',
  description: 'Color of the workspace in the console. Until one is chosen, it is derived from the id.',
  examples: ['violet'],
})
const PictureId = idOf('media', 'Id of the picture of the workspace: one of its files that has a thumbnail.')
const HolidayCountry = nullable(
  Type.String({
    pattern: `^([A-Z]{2}|${NO_HOLIDAYS})$`,
    maxLength: 4,
    description: `Country whose public holidays the calendar shows and agents know: ${holidayCountries.map((code) => `\`${code}\``).join(', ')}, or \`${NO_HOLIDAYS}\` for no holidays. Null: the country of the time zone.`,
    examples: ['TR'],
  }),
)
const Role = Type.Enum([...roles], {
  type: 'string',
  description: 'Your role in the workspace.',
  examples: ['owner'],
})

export const Workspace = Type.Object(
  {
    id: idOf('workspace'),
    name: WorkspaceName,
    slug: Slug,
    color: Color,
    picture_id: nullable(PictureId),
    picture_url: nullable(
      Type.String({
        maxLength: 100,
        description:
          'Path of the picture, of at most 400 by 400 pixels. Null without one, and while its file is deleted.',
        examples: [`/api/v1/media/${exampleId('media')}/thumbnail`],
      }),
    ),
    default_currency: Currency,
    locale: Locale,
    timezone: TimeZone,
    holiday_country: HolidayCountry,
    billing_address: nullable(BillingAddress),
    plan_code: Type.String({
      maxLength: 80,
      description: 'Code of the plan of the workspace. Set by billing.',
      examples: ['studio'],
    }),
    role: Role,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Workspace' },
)
export const Checklist = Type.Object(
  {
    connected: Type.Boolean({ description: 'Whether an account is connected.' }),
    written: Type.Boolean({ description: 'Whether a post exists.' }),
    published: Type.Boolean({ description: 'Whether a post has been published.' }),
    webhook: Type.Boolean({ description: 'Whether a webhook exists.' }),
    dismissed: Type.Boolean({ description: 'Whether you have dismissed the checklist.' }),
  },
  { title: 'Checklist' },
)
export const NewWorkspace = Closed(
  {
    name: WorkspaceName,
    slug: Type.Optional(Slug),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
  },
  { title: 'NewWorkspace' },
)
export const ChangeWorkspace = Closed(
  {
    name: Type.Optional(WorkspaceName),
    slug: Type.Optional(Slug),
    color: Type.Optional(Color),
    picture_id: Type.Optional(nullable(PictureId)),
    default_currency: Type.Optional(Currency),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
    holiday_country: Type.Optional(HolidayCountry),
    billing_address: Type.Optional(nullable(BillingAddress)),
  },
  {
    title: 'ChangeWorkspace',
    minProperties: 1,
    examples: [{ timezone: 'Europe/Istanbul', billing_address: { name: 'Bakery Ltd.', city: 'Istanbul' } }],
  },
)

export const DeleteWorkspace = Closed(
  {
    name: Type.String({
      maxLength: 200,
      description: 'Name of the workspace, to confirm the deletion.',
      examples: ['Bakery'],
    }),
  },
  { title: 'DeleteWorkspace' },
)
export const DeletedWorkspace = Type.Object(
  {
    id: idOf('workspace'),
    name: WorkspaceName,
    slug: Slug,
    deleted_at: Time,
    restorable_until: Type.Unsafe<Date>({
      ...Time,
      description: 'Time at which the workspace is erased. Until then it can be restored.',
    }),
  },
  { title: 'DeletedWorkspace' },
)
