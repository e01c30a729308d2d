import { Type } from 'typebox'
import { Day } from '../../../lib/http/schema/day.ts'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

/** Maximum number of days that a list covers, and of notes on one day. */
export const [MAX_DAYS, MAX_NOTES_A_DAY] = [100, 20]
export const DEFAULT_DAYS = 31

const fields = {
  day: Day('Day of the calendar that the note is on.', '2026-12-01'),
  text: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Text of the note.',
    examples: ['Winter campaign begins'],
  }),
}

export const CalendarNote = Type.Object(
  {
    id: idOf('calendar_note'),
    ...fields,
    created_by: nullable(idOf('user', 'Id of the member who created it. Null if that user no longer exists.')),
    created_at: Time,
    updated_at: Time,
    version: Count('Number of the version. Every change increases it.', 1),
  },
  { title: 'CalendarNote' },
)

export const CalendarNotes = Type.Object(
  {
    data: Type.Array(CalendarNote, {
      maxItems: MAX_DAYS * MAX_NOTES_A_DAY,
      description: 'Notes in the order of their days, those of one day oldest first.',
    }),
  },
  { title: 'CalendarNotes' },
)

export const CalendarNoteQuery = Closed({
  from: Type.Optional(Day('Returns only notes from this day on. Defaults to today in UTC.', '2026-12-01')),
  to: Type.Optional(
    Day(
      `Returns only notes before this day, at most ${MAX_DAYS} days after \`from\`. Defaults to ${DEFAULT_DAYS} days after it.`,
      '2027-01-01',
    ),
  ),
})

export const NewCalendarNote = Closed(fields, { title: 'NewCalendarNote' })
export const CalendarNoteChanges = Closed(
  { day: Type.Optional(fields.day), text: Type.Optional(fields.text) },
  { title: 'CalendarNoteChanges', minProperties: 1, examples: [{ day: '2026-12-02' }] },
)
