import { type TSchema, Type } from 'typebox'
import { nullable, Time } from '../../../lib/http/schema/schema.ts'

/** A list of any length: an export has all records. */
export const every = <T extends TSchema>(item: T) => Type.Array(item, { maxItems: 2_147_483_647 })
export const Short = (example: string, maxLength = 40) => Type.String({ maxLength, examples: [example] })
export const Price = Type.Number({ minimum: 0, maximum: 1_000_000, examples: [1499.9] })
export const ProviderId = Type.String({ maxLength: 255, description: 'Id at the provider.', examples: ['cus_42'] })
export const Amount = Type.Number({
  minimum: -1e12,
  maximum: 1e12,
  description: 'Amount, VAT included.',
  examples: [499],
})

/** The set-up of an agent, which a version of a recipe has too. */
export const agentSetup = {
  name: Type.String({ maxLength: 80, examples: ['Dish of the day'] }),
  description: Type.String({ maxLength: 2000, examples: ['One dish of the menu.'] }),
  category: Short('food'),
  tags: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10, examples: [['menu']] }),
  role: Type.String({ maxLength: 200, examples: ['Cook'] }),
  persona: Type.String({ maxLength: 2000, examples: ['A cook who knows every farmer.'] }),
  system_prompt: Type.String({ maxLength: 8000, examples: ['Write about one dish.'] }),
  image_style: Type.String({ maxLength: 500, examples: ['Photograph in daylight.'] }),
  voice: Type.String({ maxLength: 2000, examples: ['Warm and short.'] }),
  language: nullable(Type.String({ maxLength: 6, examples: ['tr'] })),
  schedule_cron: nullable(Type.String({ maxLength: 100, examples: ['30 10 * * 1-6'] })),
  timezone: Type.String({ maxLength: 64, examples: ['Europe/Istanbul'] }),
  posts_per_run: Type.Integer({ minimum: 1, maximum: 10, examples: [1] }),
  daily_limit: Type.Integer({ minimum: 1, maximum: 50, examples: [3] }),
  autonomy_level: Short('approve'),
  generate_image: Type.Boolean(),
  design: Type.Boolean(),
  video: Type.Boolean(),
}
/** A report about a recipe or a gig. */
export const report = {
  reason: Short('spam'),
  text: Type.String({ maxLength: 2000, examples: ['Copied from my page.'] }),
  status: Short('open'),
  created_at: Time,
}
