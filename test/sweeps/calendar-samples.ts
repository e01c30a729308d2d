import { randomInt, randomUUID } from 'node:crypto'
import { calendarFeed, newCalendarNote } from '../calendar.ts'
import { expectStatus } from '../factories.ts'
import type { Make } from './resources.ts'

const note: Make = async ({ owner }) => ({
  id: expectStatus(await owner.post('/api/v1/calendar-notes', newCalendarNote()), 201).body.id,
})

export const calendarResources: Record<string, Make> = {
  'calendar-feeds': async ({ owner }) => {
    const { id, url } = await calendarFeed(owner, { name: randomUUID() })
    return { id, query: new URL(url).search }
  },
  'calendar-notes': note,
}

export const calendarSamples: Record<string, Make> = {
  'POST /calendar-feeds': () => ({ body: { name: 'Bakery' } }),
  'GET /calendar-notes': async ({ owner }) => {
    expectStatus(
      await owner.post('/api/v1/calendar-notes', newCalendarNote({ day: `2026-12-${randomInt(10, 32)}` })),
      201,
    )
    return { query: '?from=2026-12-01&to=2027-01-01' }
  },
  'POST /calendar-notes': () => ({ body: newCalendarNote() }),
  'PATCH /calendar-notes/:id': async (fixture) => ({
    ...(await note(fixture)),
    body: { text: 'Changed' },
  }),
}
