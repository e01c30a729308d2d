import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import {
  CalendarNote,
  CalendarNoteChanges,
  CalendarNoteQuery,
  CalendarNotes,
  NewCalendarNote,
} from './calendar-notes.schema.ts'
import {
  changeCalendarNote,
  createCalendarNote,
  deleteCalendarNote,
  listCalendarNotes,
  readCalendarNote,
} from './calendar-notes.ts'

export function calendarNoteRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('calendar_note')

  route.get('/calendar-notes', {
    operationId: 'listCalendarNotes',
    summary: 'List calendar notes',
    description: 'Returns the notes of the team on the days of a span.',
    access: viewer({ scope: 'posts:read' }),
    query: CalendarNoteQuery,
    response: { 200: CalendarNotes },
    handler: ({ deps, db, caller, query }) => listCalendarNotes({ ...deps, db }, caller, query),
  })
  route.post('/calendar-notes', {
    operationId: 'createCalendarNote',
    summary: 'Create a calendar note',
    description: 'A day can have at most 20 notes. They are never published.',
    access: author({ scope: 'posts:write' }),
    body: NewCalendarNote,
    response: { 201: CalendarNote },
    handler: ({ deps, caller, body }) => createCalendarNote(deps, caller, body),
  })
  route.get('/calendar-notes/:id', {
    operationId: 'readCalendarNote',
    summary: 'Retrieve a calendar note',
    access: viewer({ scope: 'posts:read' }),
    params,
    response: { 200: CalendarNote },
    handler: ({ db, caller, params }) => readCalendarNote(db, caller, params.id),
  })
  route.patch('/calendar-notes/:id', {
    operationId: 'changeCalendarNote',
    summary: 'Update a calendar note',
    access: author({ scope: 'posts:write' }),
    params,
    body: CalendarNoteChanges,
    response: { 200: CalendarNote },
    handler: ({ deps, caller, params, body, ifMatch }) => changeCalendarNote(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/calendar-notes/:id', {
    operationId: 'deleteCalendarNote',
    summary: 'Delete a calendar note',
    access: author({ scope: 'posts:write' }),
    params,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteCalendarNote(db, caller, params.id),
  })
}
