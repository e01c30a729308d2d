import { randomInt } from 'node:crypto'
import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'

const FEEDS = '/api/v1/calendar-feeds'
/** Fewer than the API allows, so that a test can create another. */
const KEPT = 10

/** A new calendar feed of a member. The oldest ones give way. */
export async function calendarFeed(member: Client, more: object = {}): Promise<{ id: string; url: string }> {
  const { data } = expectStatus(await member.get(`${FEEDS}?limit=100`), 200).body
  for (const { id } of data.slice(KEPT)) expectStatus(await member.delete(`${FEEDS}/${id}`), 204)
  return expectStatus(await member.post(FEEDS, { name: 'Bakery', ...more }), 201).body
}

/** A note on some day: a day has room for few. */
export const newCalendarNote = (more: object = {}) => ({
  day: new Date(Date.UTC(2000 + randomInt(1000), randomInt(12), 1 + randomInt(28))).toISOString().slice(0, 10),
  text: 'Campaign begins',
  ...more,
})
