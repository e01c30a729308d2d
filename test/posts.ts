import type { Member } from '../server/lib/http/access.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { byMember } from '../server/modules/posts/authoring/insert-posts.ts'
import type { TestApp } from './app.ts'
import { expectStatus, type WorkspaceOwner } from './factories.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'

/** Calls that tests of posts share. `now`: the test app, and an owner with an account. */
export function postCalls(now: () => { t: TestApp; owner: WorkspaceOwner; account: string }) {
  const create = (body: object, person = now().owner) => person.post('/api/v1/posts', { content: 'Hello', ...body })
  const created = async (body: object = {}, person = now().owner) => expectStatus(await create(body, person), 201).body
  const inMinutes = (minutes: number) => new Date(now().t.clock.now().getTime() + minutes * 60_000).toISOString()
  const published = async (person = now().owner) => {
    const post = await created({ account_ids: [now().account], publish_now: true }, person)
    await now().t.runJobs()
    return post
  }

  /** Connects an account of the owner on a separate Bluesky. */
  async function withBluesky() {
    const bluesky = await blueskyServer()
    const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    const { body } = expectStatus(await now().owner.post('/api/v1/accounts', fields), 201)
    return { account: body.id as string, bluesky }
  }

  return { create, created, inMinutes, published, withBluesky }
}

/** Makes a post one that failed on all of its accounts. */
export async function failPost(t: TestApp, id: string) {
  await t.deps.db.updateTable('post').set({ status: 'failed' }).where('id', '=', id).execute()
  await t.deps.db.updateTable('post_target').set({ status: 'failed' }).where('post_id', '=', id).execute()
}

/** Lets a draft wait for review, planned for `at`. */
export const putInReview = (t: TestApp, id: string, at: Date | string | null = null) =>
  t.deps.db.updateTable('post').set({ review: 'pending', review_scheduled_at: at }).where('id', '=', id).execute()

/** The owner of a workspace as the caller of a function. */
export const callerOf = ({ id: user_id, email, workspace_id }: WorkspaceOwner): Member => ({
  ...{ user_id, email, workspace_id, role: 'owner', is_instance_admin: false },
  ...{ session_id: null, token: null, ip: null, user_agent: null },
})

/** Writes a post that waits for review, as an agent of the owner does. */
export const writeForReview = ({ deps }: TestApp, owner: WorkspaceOwner, content: string) =>
  createPost(deps, callerOf(owner), { content }, { ...byMember, review: 'pending' })
