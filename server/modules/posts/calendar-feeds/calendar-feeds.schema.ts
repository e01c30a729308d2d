import { Type } from 'typebox'
import { Closed, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Labels } from '../record/posts.schema.ts'

const fields = {
  name: Line('Name of the calendar, which calendar programs show', 'Bakery, all posts'),
  account_ids: Type.Array(idOf('account'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Shows only posts on one of these accounts. Empty: posts on any account.',
    examples: [[]],
  }),
  labels: { ...Labels, description: 'Shows only posts with one of these labels. Empty: with any or none.' },
  shows_unapproved: Type.Boolean({
    description: 'Whether posts that wait for an approval are shown, as tentative.',
    examples: [true],
  }),
  shows_text: Type.Boolean({
    description: 'Whether the text of posts is shown. False: only their accounts and times.',
    examples: [true],
  }),
}

export const CalendarFeed = Type.Object(
  {
    id: idOf('calendar_feed'),
    ...fields,
    last_read_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Last time that a calendar program read it, to the minute.' }),
    ),
    created_at: Time,
  },
  { title: 'CalendarFeed' },
)

export const CreatedCalendarFeed = Type.Object(
  {
    ...CalendarFeed.properties,
    url: nullable(
      Type.String({
        maxLength: 400,
        description:
          'Address for a calendar program. Anyone who knows it reads the posts. It is shown only here; null when a call is repeated with its Idempotency-Key.',
        examples: [
          'https://meydan.example/api/v1/calendar-feeds/01993a4c-2f10-7aaa-9bbb-0d5e7f2b9c35/posts.ics?key=1kPz',
        ],
      }),
    ),
  },
  { title: 'CreatedCalendarFeed' },
)

export const NewCalendarFeed = Closed(
  {
    name: fields.name,
    account_ids: Type.Optional(fields.account_ids),
    labels: Type.Optional(fields.labels),
    shows_unapproved: Type.Optional({ ...fields.shows_unapproved, default: true }),
    shows_text: Type.Optional({ ...fields.shows_text, default: true }),
  },
  { title: 'NewCalendarFeed' },
)

export const CalendarFeedKey = Closed(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Secret part of the address.',
      examples: ['1kPz'],
    }),
  },
  { title: 'CalendarFeedKey' },
)
