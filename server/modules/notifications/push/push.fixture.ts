import { expectStatus, type Person } from '../../../../test/factories.ts'
import type { PushBrowser } from '../../../../test/stand-ins/push-service.ts'

export const PUSH_KEY = '/api/v1/me/push-key'
export const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions'

type Listed = { id: string; current: boolean; last_used_at: string | null }

export const subscribed = async (person: Person, subscription: PushBrowser['subscription']) =>
  expectStatus(await person.post(SUBSCRIPTIONS, subscription), 201)

export const subscriptionsOf = async (person: Person): Promise<Listed[]> =>
  expectStatus(await person.get(SUBSCRIPTIONS), 200).body.data
