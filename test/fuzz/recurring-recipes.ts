import { expectStatus } from '../factories.ts'
import { newRecurringPost, recurringPost } from '../recurring-posts.ts'
import { headersOf } from './agent-recipes.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

type Credentials = 'session' | 'token'

/** A workspace can have a hundred only, so the former ones are deleted. */
async function makeRoom(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const owner = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const { data } = expectStatus(await owner.get('/api/v1/recurring-posts?limit=100'), 200).body
  for (const { id } of data) await owner.delete(`/api/v1/recurring-posts/${id}`)
  return owner
}

const creating =
  (credentials: Credentials): Recipe =>
  async (context) => ({
    headers: headersOf(context, credentials),
    body: await newRecurringPost(context.t, await makeRoom(context)),
  })

const previewing =
  (credentials: Credentials): Recipe =>
  async (context) => ({
    headers: headersOf(context, credentials),
    body: { rule: 'FREQ=DAILY', starts_at: '2026-12-01T09:30', timezone: 'UTC' },
  })

const on =
  (credentials: Credentials, { body, isPaused = false }: { body?: object; isPaused?: boolean } = {}): Recipe =>
  async (context) => {
    const owner = await makeRoom(context)
    const { id } = await recurringPost(context.t, owner)
    if (isPaused) expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    return { headers: headersOf(context, credentials), path: { id }, ...(body && { body }) }
  }

/** `isSkipped`: its next occurrence is skipped already. */
const onNext =
  (credentials: Credentials, isSkipped: boolean): Recipe =>
  async (context) => {
    const owner = await makeRoom(context)
    const { id, next_occurrences } = await recurringPost(context.t, owner)
    const body = { occurs_at: next_occurrences[0].occurs_at }
    if (isSkipped) expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, body), 200)
    return { headers: headersOf(context, credentials), path: { id }, body }
  }

const listing =
  (credentials: Credentials): Recipe =>
  async (context) => ({
    headers: headersOf(context, credentials),
    query: { from: '2026-12-01T00:00:00Z', to: '2026-12-31T00:00:00Z' },
  })

const splitting =
  (credentials: Credentials): Recipe =>
  async (context) => {
    const { id, next_occurrences } = await recurringPost(context.t, await makeRoom(context))
    const body = { from: next_occurrences[1].occurs_at, labels: ['changed'] }
    return { headers: headersOf(context, credentials), path: { id }, body }
  }

const recipes: Record<string, (credentials: Credentials) => Recipe> = {
  createRecurringPost: creating,
  previewRecurrence: previewing,
  readRecurringPost: (credentials) => on(credentials),
  listOccurrences: (credentials) => on(credentials),
  changeRecurringPost: (credentials) => on(credentials, { body: { labels: ['changed'] } }),
  listUpcomingOccurrences: listing,
  readChangeImpact: (credentials) => on(credentials),
  splitRecurringPost: splitting,
  skipOccurrence: (credentials) => onNext(credentials, false),
  unskipOccurrence: (credentials) => onNext(credentials, true),
  createOccurrencePost: (credentials) => onNext(credentials, false),
  deleteRecurringPost: (credentials) => on(credentials),
  pauseRecurringPost: (credentials) => on(credentials),
  resumeRecurringPost: (credentials) => on(credentials, { isPaused: true }),
}

export const recurringRecipes: Record<string, Recipe> = Object.fromEntries(
  Object.entries(recipes).flatMap(([name, recipe]) => [
    [name, recipe('session')],
    [`public${name[0]?.toUpperCase()}${name.slice(1)}`, recipe('token')],
  ]),
)
