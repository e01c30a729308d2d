import { type Static, Type } from 'typebox'
import { features } from '../../lib/access.ts'
import { meters } from '../../lib/limits.ts'
import { Money } from '../../lib/money.ts'
import { Closed, Line, nullable, Time } from '../../lib/schema.ts'

const Code = Type.String({
  minLength: 2,
  maxLength: 40,
  // Two dots lead up in an address.
  pattern: '^(?![.][.]$)[A-Za-z0-9._-]+$',
  description: 'Unique whatever the case of its letters, and never changed',
})
const Name = Line('What it is called on the price list')
const Description = Type.String({ maxLength: 500, description: 'One or two sentences beside the price' })
const Position = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Its place in lists' })
const TrialDays = nullable(
  Type.Integer({ minimum: 0, maximum: 365, description: 'How long it can be tried for nothing; null: not at all' }),
)
const PricePair = (description: string) =>
  Closed({ monthly: Money('For a month'), yearly: Money('For a year') }, { description })
const Prices = Closed(
  { try: PricePair('In Turkish lira'), usd: nullable(PricePair('In US dollars; null: not sold for them')) },
  { description: 'Decimal numbers in major units' },
)
const limit = (description: string) => Type.Integer({ minimum: -1, maximum: 1_000_000_000, description })
const Limits = Closed(
  {
    social_accounts: limit('Connected accounts'),
    posts_per_month: limit('Posts scheduled or published in a calendar month (UTC)'),
    ai_credits: limit('AI credits in a calendar month (UTC)'),
    team_members: limit('Members, those invited included'),
    storage_mb: limit('Files, in MB'),
    scheduled_posts_max: limit('Posts that wait for their time'),
  },
  { description: '-1: as many as one likes' },
)
const Features = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 50,
  description: 'What people read on the price list',
})
const Entitlements = Type.Array(Type.Enum([...features], { type: 'string' }), {
  maxItems: features.length,
  uniqueItems: true,
  description: 'The parts of Meydan that need a plan and that this one includes',
})
const Metadata = Type.Record(Type.String({ pattern: '^[^\\u0000-\\u001F]{1,100}$' }), Type.String({ maxLength: 500 }), {
  additionalProperties: false,
  maxProperties: 50,
  description: 'Notes of your own, such as the ids of its prices at payment processors; at most 16 KB',
})
const IsFeatured = Type.Boolean({ description: 'Whether it stands out on the price list' })
const IsPublic = Type.Boolean({ description: 'Whether it is on the price list' })
const IsActive = Type.Boolean({
  description: 'false: archived. Workspaces that live by it keep it; nobody new gets it',
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
export const PublicPlan = Type.Object({ ...shown, ...sold }, { title: 'PublicPlan' })

/** The price list is one page. */
export const MOST_PLANS = 100
export const PriceList = Type.Object(
  {
    data: Type.Array(PublicPlan, { maxItems: MOST_PLANS }),
    next_cursor: Type.Null({ description: 'There is one page' }),
  },
  { title: 'PriceList' },
)

export const NewPlan = Closed(
  {
    code: Code,
    name: Name,
    description: Type.Optional(Description),
    position: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Its place in lists; absent: the last' }),
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
      Type.Boolean({ description: 'true brings an archived plan back; false archives it, as the route for it does' }),
    ),
    trial_days: Type.Optional(TrialDays),
    prices: Type.Optional(Prices),
    limits: Type.Optional(Limits),
    features: Type.Optional(Features),
    entitlements: Type.Optional(Entitlements),
    metadata: Type.Optional(Metadata),
  },
  { title: 'PlanChanges', minProperties: 1 },
)
export const PlanParams = Closed({ code: Type.String({ minLength: 1, maxLength: 40 }) })
export const PlanOrder = Closed(
  {
    codes: Type.Array(Type.String({ maxLength: 40 }), {
      maxItems: MOST_PLANS,
      description: 'Every code once, in the order of lists',
    }),
  },
  { title: 'PlanOrder' },
)

export const Usage = Type.Object(
  {
    plan: nullable(
      Type.Object(
        { code: Type.String({ maxLength: 40 }), name: Type.String({ maxLength: 80 }) },
        { description: 'What the workspace lives by; null: this instance has no plans in force' },
      ),
    ),
    billing_enabled: Type.Boolean({ description: 'false: nothing is limited, and everything is included' }),
    period_start: Type.Unsafe<Date>({ ...Time, description: 'When what is counted by the month began to count' }),
    period_end: Type.Unsafe<Date>({ ...Time, description: 'When it begins anew' }),
    meters: Type.Array(
      Type.Object({
        meter: Type.Enum([...meters], { type: 'string' }),
        used: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
        limit: Type.Integer({ minimum: -1, maximum: 1_000_000_000, description: '-1: as many as one likes' }),
      }),
      { maxItems: meters.length },
    ),
  },
  { title: 'Usage' },
)

export type PlanRecord = Static<typeof Plan>
