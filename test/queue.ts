import { weekdays } from '../server/modules/posts/posting-times/posting-times.schema.ts'
import type { Client } from './client.ts'
import { expectStatus, playgroundAccount } from './factories.ts'

/** Posting times for every day of the week. */
export const daily = (...times: string[]) => weekdays.flatMap((weekday) => times.map((time) => ({ weekday, time })))

export const postingTimes = { timezone: 'Europe/Istanbul', times: daily('09:30', '18:00') }

export const savePostingTimes = async (person: Client, account: string, input: object = postingTimes) =>
  expectStatus(await person.put(`/api/v1/accounts/${account}/posting-times`, input), 200).body

/** An account with posting times. */
export async function accountWithTimes(person: Client, input?: object) {
  const account = await playgroundAccount(person)
  await savePostingTimes(person, account, input)
  return account
}

export const addToQueue = (person: Client, account_ids: string[], body: object = {}) =>
  person.post('/api/v1/posts', { content: 'Hello', account_ids, queue: 'next', ...body })

/** An account with `count` posts in its queue, in their order. */
export async function queuedPosts(person: Client, count = 2) {
  const account = await accountWithTimes(person)
  const posts: string[] = []
  for (let index = 0; index < count; index++)
    posts.push(expectStatus(await addToQueue(person, [account], { content: `Post ${index}` }), 201).body.id)
  return { account, posts }
}
