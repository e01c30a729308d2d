import { Type } from 'typebox'
import { declareEvents } from '../../lib/events/event-type.ts'
import { idOf } from '../../lib/http/schema/schema.ts'

export const webhookEvents = declareEvents({
  'webhook.test': {
    description: 'A test event requested with `POST /webhooks/{id}/test`. Sent to that webhook only.',
    data: Type.Object({ webhook_id: idOf('webhook'), message: Type.String({ maxLength: 400 }) }),
    example: {
      webhook_id: '01994c7d-58e2-7b40-9f1a-d3e2c1b0a998',
      message: 'This is a test event from Meydan.',
    },
  },
})
