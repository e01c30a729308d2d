import { Type } from 'typebox'
import { Day } from '../../../lib/http/schema/day.ts'
import { Closed, Count, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Email, Locale, TimeZone } from '../../auth/auth.schema.ts'
import { Labels } from '../record/posts.schema.ts'

const MAX_DAYS = 180
const DEFAULT_DAYS = 30

const fields = {
  name: Line('Name of the client link, which the client sees, too', 'Bakery, March'),
  starts_on: Day('First day of the posts, in `timezone`.', '2026-03-01'),
  ends_on: Day('Last day of the posts, in `timezone`. At most 366 days after the first.', '2026-03-31'),
  account_ids: Type.Array(idOf('account'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Shows only posts all of whose accounts are among these. Empty: posts on any account.',
    examples: [[]],
  }),
  labels: { ...Labels, description: 'Shows only posts with one of these labels. Empty: with any or none.' },
  may_decide: Type.Boolean({
    description: 'Whether the client approves posts and asks for changes. False: the client only looks at them.',
    examples: [true],
  }),
}

const client_email = {
  ...Email,
  description: 'E-mail address of the client, which gets e-mails about posts that wait. Erased when the link ends.',
}
const aboutPassword =
  'Password that the page of the link asks for, 8 to 200 characters. It is never returned or mailed.'
const password = Type.String({
  minLength: 8,
  maxLength: 200,
  description: aboutPassword,
  examples: ['warm simit at seven'],
})
const locale = { ...Locale, description: 'Language of these e-mails (BCP 47).' }

export const ClientLink = Type.Object(
  {
    id: idOf('client_link'),
    ...fields,
    timezone: TimeZone,
    state: Type.Enum(['valid', 'expired', 'revoked'], {
      type: 'string',
      description: 'Whether the link can be used.',
      examples: ['valid'],
    }),
    created_by: nullable(idOf('user', 'Id of the member who created it. Null if that user no longer exists.')),
    expires_at: Time,
    revoked_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time at which a member revoked it.' })),
    opened_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Last time that somebody opened the link. Null: nobody has.' }),
    ),
    opened_count: Count(
      'How often the link was opened by its whole address. Previews that do not run the page do not count.',
    ),
    client_email: nullable(client_email),
    locale: nullable(locale),
    mails_stopped_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description:
          'Time at which the client stopped the e-mails of the workspace. Later links to the address are stopped, too.',
      }),
    ),
    has_password: Type.Boolean({
      description: 'Whether the link asks for a password. False when it has ended: the password is erased then.',
      examples: [false],
    }),
    created_at: Time,
  },
  { title: 'ClientLink' },
)

export const CreatedClientLink = Type.Object(
  {
    ...ClientLink.properties,
    url: nullable(
      Type.String({
        maxLength: 400,
        description: 'Address for the client. Its secret part is shown only here.',
        examples: ['https://meydan.example/review/01993a4c-2f10-7aaa-9bbb-0d5e7f2b9c35#1kPz'],
      }),
    ),
  },
  { title: 'CreatedClientLink' },
)

export const NewClientLink = Closed(
  {
    name: fields.name,
    starts_on: fields.starts_on,
    ends_on: fields.ends_on,
    account_ids: Type.Optional(fields.account_ids),
    labels: Type.Optional(fields.labels),
    may_decide: Type.Optional(fields.may_decide),
    timezone: Type.Optional(TimeZone),
    client_email: Type.Optional(nullable(client_email)),
    locale: Type.Optional({ ...locale, description: `${locale.description} Yours if it is left out.` }),
    password: Type.Optional(nullable(password)),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        default: DEFAULT_DAYS,
        description: 'Days until the link expires.',
        examples: [DEFAULT_DAYS],
      }),
    ),
  },
  { title: 'NewClientLink' },
)

export const ClientLinkPassword = Closed(
  {
    password: Type.Optional(
      nullable({ ...password, description: `${aboutPassword} Null removes it. Left out: it stays.` }),
    ),
  },
  { title: 'ClientLinkPassword' },
)
