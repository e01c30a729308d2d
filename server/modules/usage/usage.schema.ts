import { Type } from 'typebox'
import { nullable, Time } from '../../lib/http/schema/schema.ts'
import { meterNames } from './meter.ts'

export const Usage = Type.Object(
  {
    plan: nullable(
      Type.Object(
        { code: Type.String({ maxLength: 40 }), name: Type.String({ maxLength: 80 }) },
        {
          description: 'Plan of the workspace. Null if plans are not applied on this instance.',
          examples: [{ code: 'studio', name: 'Studio' }],
        },
      ),
    ),
    subscription_status: nullable(
      Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'expired'], {
        type: 'string',
        description: 'Status of the subscription in force, or of the last one. Null if there never was one.',
        examples: ['active'],
      }),
    ),
    billing_enabled: Type.Boolean({
      description: 'Whether plans are applied. If false, there are no limits and every feature is included.',
    }),
    period_start: Type.Unsafe<Date>({
      ...Time,
      description: 'Start of the current calendar month (UTC), in which monthly limits are counted.',
    }),
    period_end: Type.Unsafe<Date>({
      ...Time,
      description: 'Start of the next calendar month (UTC), when monthly usage resets.',
    }),
    meters: Type.Array(
      Type.Object({
        meter: Type.Enum([...meterNames], { type: 'string' }),
        used: Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [3] }),
        limit: Type.Integer({
          minimum: -1,
          maximum: 1_000_000_000,
          description: 'Maximum. -1 is unlimited.',
          examples: [10],
        }),
        over_since: nullable(
          Type.Unsafe<Date>({
            ...Time,
            description:
              'Time since which more exists than the plan allows. Nothing is deleted, and nothing can be added. 14 days after it, accounts over their limit are paused, the latest connected first. Null within the limit, and for monthly limits.',
          }),
        ),
      }),
      { maxItems: meterNames.length },
    ),
  },
  { title: 'Usage' },
)
