import { Type } from 'typebox'
import { Closed, InputTime, idOf, Time } from '../../../lib/http/schema/schema.ts'
import { EventName } from '../webhooks.schema.ts'

export const Event = Type.Object(
  {
    id: idOf('event'),
    type: EventName,
    timestamp: Type.Unsafe<string>({ ...Time, description: 'Time at which the event was created.' }),
    workspace_id: idOf('workspace', 'Id of the workspace.'),
    data: Type.Unsafe<unknown>(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Data of the event. `GET /webhooks/event-types` returns its schema.',
        },
      ),
    ),
  },
  { title: 'Event' },
)
export const EventQuery = Closed({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of records to return.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: '`next_cursor` of the previous call.' })),
  since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description: 'Returns only events created at or after this time. Ignored with `cursor`.',
    }),
  ),
  type: Type.Optional(EventName),
})
export const EventPage = Type.Object(
  {
    data: Type.Array(Event, { maxItems: 100, description: 'Events, oldest first.' }),
    next_cursor: Type.String({
      maxLength: 100,
      description: 'Cursor for the next call. Always present.',
      examples: ['MDE5OTRmNzM'],
    }),
    has_more: Type.Boolean({ description: 'Whether more events are available now.', examples: [false] }),
  },
  { title: 'EventPage' },
)
