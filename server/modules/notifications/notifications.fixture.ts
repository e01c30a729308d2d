import { MINUTE } from '../../../shared/time.ts'
import type { TestApp } from '../../../test/app.ts'
import { expectStatus, memberOf, type Person, withWorkspace } from '../../../test/factories.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'

export const LIST = '/api/v1/me/notifications'
export const PREFERENCES = '/api/v1/me/notification-preferences'

/** The notifications as a user sees them in the console. */
export const seenBy = async (person: Person, query = '') =>
  expectStatus(await person.get(`${LIST}${query}`), 200).body.data
export const kindsSeenBy = async (person: Person) =>
  (await seenBy(person)).map(({ kind }: { kind: string }) => kind) as string[]

/** Workspaces with an account on a network that refuses the next posts. */
export async function failingNetwork(t: TestApp) {
  const bluesky = await blueskyServer()
  const team = async () => {
    const owner = await withWorkspace(t)
    const input = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    const account = expectStatus(await owner.post('/api/v1/accounts', input), 201).body.id as string
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const fail = async (content: string, person: Person = owner) => {
      bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRecord' })
      const post = { content, account_ids: [account], publish_now: true }
      const { body } = expectStatus(await person.post('/api/v1/posts', post), 201)
      await t.runJobs()
      return body.id as string
    }
    return { owner, account, editor, viewer, fail }
  }
  return { team, close: () => bluesky.close() }
}

export const advanceMinutes = async (t: TestApp, minutes: number) => {
  t.advance(minutes * MINUTE)
  await t.runJobs()
}
