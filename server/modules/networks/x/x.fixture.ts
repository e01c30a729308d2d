import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'

type Fields = { content: string; options?: object; thread?: object[]; first_comment?: string; media_ids?: string[] }

/** Publishes a post, and waits for the steps of the minutes that follow. */
export async function publishOnX(t: TestApp, owner: WorkspaceOwner, account_id: string, fields: Fields) {
  const { options = {}, ...post } = fields
  const body = { targets: [{ account_id, options }], publish_now: true, ...post }
  const { body: created } = expectStatus(await owner.post('/api/v1/posts', body), 201)
  await t.runJobs()
  for (let minute = 0; minute < 3; minute++) {
    t.advance(60_000)
    await t.runJobs()
  }
  return (await owner.get(`/api/v1/posts/${created.id}`)).body
}
