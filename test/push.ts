import { randomUUID } from 'node:crypto'
import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'

export const PUSH_KEY = '/api/v1/me/push-key'
export const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions'

/** A subscription as a browser makes it, with the keys of the example in RFC 8291. */
export const newPushSubscription = () => ({
  endpoint: `https://push.example.com/send/${randomUUID()}`,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})

/** Subscribes the browser of a session. Returns the id of the subscription. */
export const pushSubscription = async (person: Client, subscription = newPushSubscription()): Promise<string> =>
  expectStatus(await person.post(SUBSCRIPTIONS, subscription), 201).body.id

type Listed = { id: string; current: boolean; last_used_at: string | null }

export const subscriptionsOf = async (person: Client): Promise<Listed[]> =>
  expectStatus(await person.get(SUBSCRIPTIONS), 200).body.data
