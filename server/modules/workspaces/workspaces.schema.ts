import { Type } from 'typebox'
import { roles } from '../../lib/access.ts'
import { Closed, Id, Line, linePattern, nullable, Time } from '../../lib/schema.ts'
import { Locale, TimeZone } from '../auth/auth.schema.ts'

export const Instance = Type.Object(
  {
    needs_setup: Type.Boolean({
      description: 'Whether the first instance admin is still to be made, with POST /setup',
    }),
    sends_mail: Type.Boolean({ description: 'false: there is no mail server, and mail stays in the outbox' }),
    sign_up: Type.Enum(['open', 'invitation', 'closed'], { type: 'string', description: 'Who may sign up' }),
  },
  { title: 'Instance' },
)

export const WorkspaceName = Line('Unique in the instance, whatever the case of its letters')
export const Slug = Type.String({
  pattern: '^[a-z0-9](-?[a-z0-9])+$',
  minLength: 2,
  maxLength: 40,
  description: 'Short name for addresses, unique in the instance: a-z, 0-9 and single hyphens inside',
})
const line = Type.Optional(Type.String({ maxLength: 200, pattern: linePattern }))
export const BillingAddress = Closed(
  { name: line, line1: line, line2: line, city: line, country: line, postal: line, tax_id: line },
  { title: 'BillingAddress', description: 'Printed on invoices' },
)
export const Currency = Type.Enum(['TRY', 'USD'], { type: 'string', description: 'Default currency of the workspace' })
export const Role = Type.Enum([...roles], { type: 'string', description: 'Your role in the workspace' })

export const Workspace = Type.Object(
  {
    id: Id,
    name: WorkspaceName,
    slug: Slug,
    default_currency: Currency,
    locale: Locale,
    timezone: TimeZone,
    billing_address: nullable(BillingAddress),
    plan_code: Type.String({ maxLength: 80, description: 'Set by billing' }),
    role: Role,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Workspace' },
)
export const Checklist = Type.Object(
  {
    connected: Type.Boolean({ description: 'An account is connected' }),
    written: Type.Boolean({ description: 'There is a post' }),
    published: Type.Boolean({ description: 'A post was published somewhere' }),
    webhook: Type.Boolean({ description: 'There is a webhook' }),
    dismissed: Type.Boolean({ description: 'You have put the list away' }),
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
    default_currency: Type.Optional(Currency),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(TimeZone),
    billing_address: Type.Optional(nullable(BillingAddress)),
  },
  { title: 'ChangeWorkspace', minProperties: 1 },
)

export const DeleteWorkspace = Closed(
  {
    name: Type.String({ maxLength: 200, description: 'The name of the workspace, so that none is deleted by mistake' }),
  },
  { title: 'DeleteWorkspace' },
)
export const DeletedWorkspace = Type.Object(
  {
    id: Id,
    name: WorkspaceName,
    slug: Slug,
    deleted_at: Time,
    erased_at: Type.Unsafe<Date>({ ...Time, description: 'Until then it can be restored' }),
  },
  { title: 'DeletedWorkspace' },
)
