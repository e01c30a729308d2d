import { createOccurrences } from '../server/modules/posts/recurrence/create-occurrences.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { expectStatus, playgroundAccount } from './factories.ts'
import { until } from './until.ts'

const DAY = 86_400_000

/** Date and time, as if it were shown in UTC. */
export const localIn = ({ clock }: TestApp, days: number, time = '12:00') =>
  `${new Date(clock.now().getTime() + days * DAY).toISOString().slice(0, 10)}T${time}`

type Input = { account_ids?: string[]; contents?: string[] } & Record<string, unknown>

/** The body of a recurring post, daily at noon UTC from tomorrow. */
export async function newRecurringPost(
  t: TestApp,
  person: Client,
  { account_ids, contents = ['Open from seven.'], ...more }: Input = {},
) {
  const accounts = account_ids ?? [await playgroundAccount(person)]
  const variants = contents.map((content) => ({ content, account_ids: accounts }))
  return { rule: 'FREQ=DAILY', starts_at: localIn(t, 1), timezone: 'UTC', variants, ...more }
}

/** A recurring post whose posts of the next days were created. */
export async function recurringPost(t: TestApp, person: Client, input: Input = {}) {
  const body = await newRecurringPost(t, person, input)
  const made = expectStatus(await person.post('/api/v1/recurring-posts', body), 201).body
  // A recurring post is skipped while another call creates its posts.
  await until(async () => {
    await createOccurrences(t.deps)
    const { due_at } = await t.deps.db
      .selectFrom('recurring_post')
      .select('due_at')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    if (due_at && due_at <= t.clock.now()) throw new Error('The posts of the recurring post are still being created.')
  })
  return made
}

export const readRecurringPost = async (person: Client, id: string) =>
  expectStatus(await person.get(`/api/v1/recurring-posts/${id}`), 200).body

export const occurrencesOf = async (person: Client, id: string) =>
  expectStatus(await person.get(`/api/v1/recurring-posts/${id}/occurrences?limit=100`), 200).body.data

/** The posts of a recurring post that were not deleted, in the order of their times. */
export async function postsOf(person: Client, id: string) {
  const { data } = expectStatus(await person.get('/api/v1/posts?limit=100'), 200).body
  type Post = Record<'id' | 'scheduled_at' | 'content' | 'status', string> &
    Record<'recurring_post_id' | 'held', string | null>
  return data
    .filter((post: Post) => post.recurring_post_id === id)
    .sort((a: Post, b: Post) => a.scheduled_at?.localeCompare(b.scheduled_at)) as Post[]
}

/** Lets an occurrence of a recurring post pass while no job runs. Returns its time. */
export async function missOccurrence(t: TestApp, id: string) {
  const next_at = new Date(t.clock.now().getTime() - 60_000)
  await t.deps.db.updateTable('recurring_post').set({ next_at, due_at: next_at }).where('id', '=', id).execute()
  await createOccurrences(t.deps)
  return next_at.toISOString()
}
