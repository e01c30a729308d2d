import { type Static, Type } from 'typebox'
import { features } from '../../lib/http/access.ts'
import { Closed, Line, nullable, Time } from '../../lib/http/schema/schema.ts'
import { Money } from '../../lib/money.ts'
import type { MeterName } from '../usage/meter.ts'

const Code = Type.String({
  minLength: 2,
  maxLength: 40,
  // Two dots mean the parent in a URL.
  pattern: '^(?![.][.]$)[A-Za-z0-9._-]+$',
  description: 'Code of the plan. Unique regardless of case. Cannot be changed.',
  examples: ['studio'],
})
const Name = Line('Name of the plan on the price list', 'Studio')
const Description = Type.String({
  maxLength: 500,
  description: 'Description on the price list, in one or two sentences.',
  examples: ['For a small team with several accounts.'],
})
const Position = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Position in lists, in ascending order.' })
const TrialDays = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Length of the free trial in days. Null for no trial.',
    examples: [14],
  }),
)
const PricePair = (description: string) =>
  Closed({ monthly: Money('Price per month'), yearly: Money('Price per year') }, { description })
const Prices = Closed(
  {
    try: PricePair('Prices in Turkish lira.'),
    usd: nullable(PricePair('Prices in US dollars. Null if the plan is not sold in US dollars.')),
  },
  {
    description: 'Prices as decimal numbers in major units.',
    examples: [{ try: { monthly: 299.9, yearly: 2999 }, usd: { monthly: 9, yearly: 90 } }],
  },
)
const limit = (description: string, example: number) =>
  Type.Integer({ minimum: -1, maximum: 1_000_000_000, description, examples: [example] })
const Limits = Closed(
  {
    social_accounts: limit('Maximum number of connected accounts.', 10),
    posts_per_month: limit('Maximum number of posts scheduled or published in a calendar month (UTC).', 500),
    ai_credits: limit('Maximum number of AI credits in a calendar month (UTC).', 200),
    team_members: limit('Maximum number of members, including pending invitations.', 5),
    storage_mb: limit('Maximum size of all files in MB.', 2000),
    scheduled_posts_max: limit('Maximum number of scheduled posts at a time.', -1),
  } satisfies Record<MeterName, unknown>,
  { description: 'Limits of the plan. -1 is unlimited.' },
)
const Features = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 50,
  description: 'Features as listed on the price list.',
  examples: [['10 accounts', '500 posts a month']],
})
const Entitlements = Type.Array(Type.Enum([...features], { type: 'string' }), {
  maxItems: features.length,
  uniqueItems: true,
  description: 'Features that require a plan and are included in this one.',
})
const Metadata = Type.Record(Type.String({ pattern: '^[^\\u0000-\\u001F]{1,100}$' }), Type.String({ maxLength: 500 }), {
  additionalProperties: false,
  maxProperties: 50,
  description: 'Metadata of your own, such as the ids of prices at payment processors. At most 16 KB.',
  examples: [{ price_id: 'studio-monthly' }],
})
const IsFeatured = Type.Boolean({
  description: 'Whether the plan is highlighted on the price list.',
  examples: [false],
})
const IsPublic = Type.Boolean({ description: 'Whether the plan is on the price list.' })
const IsActive = Type.Boolean({
  description:
    'Whether the plan is active. An archived plan is kept by workspaces on it and is not available to others.',
})

const shown = {
  code: Code,
  name: Name,
  description: Description,
  position: Position,
  is_featured: IsFeatured,
}
const sold = { trial_days: TrialDays, prices: Prices, limits: Limits, features: Features, entitlements: Entitlements }

export const Plan = Type.Object(
  {
    ...shown,
    is_public: IsPublic,
    is_active: IsActive,
    ...sold,
    metadata: Metadata,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Plan' },
)
const PublicPlan = Type.Object({ ...shown, ...sold }, { title: 'PublicPlan' })

/** The price list is one page. */
export const MAX_PLANS = 100
export const PriceList = Type.Object(
  {
    data: Type.Array(PublicPlan, { maxItems: MAX_PLANS }),
    next_cursor: Type.Null({ description: 'Always null: there is only one page.' }),
  },
  { title: 'PriceList' },
)

export const NewPlan = Closed(
  {
    code: Code,
    name: Name,
    description: Type.Optional(Description),
    position: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Position in lists, in ascending order. Defaults to the last.',
      }),
    ),
    is_featured: Type.Optional(IsFeatured),
    is_public: Type.Optional(IsPublic),
    is_active: Type.Optional(IsActive),
    trial_days: Type.Optional(TrialDays),
    prices: Prices,
    limits: Limits,
    features: Type.Optional(Features),
    entitlements: Type.Optional(Entitlements),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewPlan' },
)
export const PlanChanges = Closed(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    position: Type.Optional(Position),
    is_featured: Type.Optional(IsFeatured),
    is_public: Type.Optional(IsPublic),
    is_active: Type.Optional(
      Type.Boolean({ description: '`true` restores an archived plan. `false` archives the plan.' }),
    ),
    trial_days: Type.Optional(TrialDays),
    prices: Type.Optional(Prices),
    limits: Type.Optional(Limits),
    features: Type.Optional(Features),
    entitlements: Type.Optional(Entitlements),
    metadata: Type.Optional(Metadata),
  },
  { title: 'PlanChanges', minProperties: 1, examples: [{ name: 'Studio', trial_days: 14 }] },
)
export const PlanParams = Closed({ code: Type.String({ minLength: 1, maxLength: 40, examples: ['studio'] }) })
export const PlanOrder = Closed(
  {
    codes: Type.Array(Type.String({ maxLength: 40 }), {
      maxItems: MAX_PLANS,
      description: 'Codes of all plans in the new order, each once.',
      examples: [['free', 'studio', 'pro', 'team']],
    }),
  },
  { title: 'PlanOrder' },
)

export type PlanRecord = Static<typeof Plan>
