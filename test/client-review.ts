import { approvalTeam, clientOf, EDITOR_THEN_CLIENT } from '../server/modules/posts/approval/approval.fixture.ts'
import type { TestApp } from './app.ts'
import { expectStatus } from './factories.ts'
import { testImage, uploaded } from './media.ts'

/** A post that waits for the client of a link, in a workspace of its own, with images of everything. */
export async function clientReview(t: TestApp) {
  const { owner, account, author, editor, write, approve } = await approvalTeam(t, EDITOR_THEN_CLIENT)
  const { id: media_id } = await uploaded(author)
  const at = new Date(t.clock.now().getTime() + 3_600_000)
  const { id: post_id } = await write({ scheduled_at: at.toISOString(), media_ids: [media_id] })
  await approve(editor, post_id)
  const avatar = await testImage()
  await t.deps.db.updateTable('account').set({ avatar }).where('id', '=', account).execute()
  expectStatus(await owner.patch('/api/v1/workspace', { picture_id: media_id }), 200)
  const day = at.toISOString().slice(0, 10)
  const input = { name: 'Bakery', starts_on: day, ends_on: day, timezone: 'UTC', client_email: 'client@example.com' }
  const link: { id: string; url: string } = expectStatus(await owner.post('/api/v1/client-links', input), 201).body
  const { client, cookie, postOf } = await clientOf(t, link)
  const { content_version }: { content_version: string } = await postOf(post_id)
  return { owner, account, media_id, post_id: post_id as string, link, client, cookie, content_version }
}
