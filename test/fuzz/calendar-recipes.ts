import { calendarFeed, newCalendarNote } from '../calendar.ts'
import { expectStatus } from '../factories.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

type CallerOf = (context: RecipeContext) => Record<string, string>
const ownerHeaders: CallerOf = (context) => asOwner(context).headers
const allScopes: CallerOf = ({ callers }) => callers.current().callers.allScopes.headers

/** A feed of its own, which the request may delete. */
const calendarFeedOf = async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const { id, url } = await calendarFeed(client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
  return { headers: ownerHeaders(context), path: { id }, query: { key: new URL(url).searchParams.get('key') ?? '' } }
}
const december = { from: '2026-12-01', to: '2027-01-01' }
const calendarNote = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const { id } = expectStatus(await inWorkspace.post('/api/v1/calendar-notes', newCalendarNote()), 201).body
  return { headers: callerOf(context), path: { id: id as string } }
}

export const calendarRecipes: Record<string, Recipe> = {
  createCalendarFeed: async (context) => {
    await calendarFeedOf(context)
    return { headers: ownerHeaders(context), body: { name: 'Bakery' } }
  },
  deleteCalendarFeed: async (context) => {
    const { headers, path } = await calendarFeedOf(context)
    return { headers, path }
  },
  readCalendarFeed: calendarFeedOf,
  listCalendarNotes: async (context) => ({ headers: ownerHeaders(context), query: december }),
  publicListCalendarNotes: async (context) => ({ headers: allScopes(context), query: december }),
  createCalendarNote: async (context) => ({ headers: ownerHeaders(context), body: newCalendarNote() }),
  publicCreateCalendarNote: async (context) => ({ headers: allScopes(context), body: newCalendarNote() }),
  readCalendarNote: calendarNote(ownerHeaders),
  publicReadCalendarNote: calendarNote(allScopes),
  changeCalendarNote: calendarNote(ownerHeaders),
  publicChangeCalendarNote: calendarNote(allScopes),
  deleteCalendarNote: calendarNote(ownerHeaders),
  publicDeleteCalendarNote: calendarNote(allScopes),
}
