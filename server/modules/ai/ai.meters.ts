import type { MonthlyMeter } from '../usage/meter.ts'

export const aiCredits: MonthlyMeter = {
  meter: 'ai_credits',
  kind: 'monthly',
  allows: (limit) => `${limit} AI ${limit === 1 ? 'credit' : 'credits'} a month`,
}
