import { Type } from 'typebox'
import { declareEvents } from '../../../lib/events/event-type.ts'
import { idOf } from '../../../lib/http/schema/schema.ts'
import { Occurrence } from './recurrence.schema.ts'

export const recurrenceEvents = declareEvents({
  'recurring_post.occurrence_skipped': {
    description: 'An occurrence of a recurring post was skipped: no post was created for it. `reason` says why.',
    data: Type.Object({
      recurring_post_id: idOf('recurring_post'),
      occurs_at: Occurrence.properties.occurs_at,
      reason: Occurrence.properties.reason,
      detail: Occurrence.properties.detail,
    }),
    example: {
      recurring_post_id: '01994f20-5b6c-7d8e-9f0a-1b2c3d4e5f6a',
      occurs_at: '2026-03-02T09:30:00.000Z',
      reason: 'limit_reached',
      detail: 'The plan Free allows 10 posts a month; 10 were used. Wait until the next month begins (2026-04-01).',
    },
  },
})
