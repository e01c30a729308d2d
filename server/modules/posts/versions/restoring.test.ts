import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { approvalTeam } from '../approval/approval.fixture.ts'
import { draft, list, pathOf, read, type VersionSummary } from './versions.fixture.ts'

const t = await testApp()

describe('restoring a version', () => {
  test('is an edit by whoever restores it, which is a version, too', async () => {
    const { owner, author, id, change } = await draft(t)
    const account = await playgroundAccount(owner)
    await change(author, { thread: [{ content: 'More' }], targets: [{ account_id: account, content: 'Own' }] })
    await change(owner, { content: 'Two', thread: [], account_ids: [], labels: ['spring'] })
    const versions = await list(owner, id)
    const path = `${pathOf(id)}/versions/${versions[1]?.id}/restore`
    const post = expectStatus(await author.post(path), 200).body
    expect(post).toMatchObject({
      ...{ content: 'One', thread: [{ content: 'More' }], labels: ['spring'], updated_by_id: author.id },
      targets: [{ account_id: account, content: 'Own' }],
    })
    expect((await list(owner, id))[0]).toMatchObject({
      ...{ number: 3, source: 'restore', restored_number: 1, by: { id: author.id }, is_current: true },
      changed: ['content', 'targets', 'thread'],
    })
    expectStatus(await author.post(path), 200)
    expect(await list(owner, id)).toHaveLength(3)
    const { data } = (await owner.get('/api/v1/events?limit=100')).body
    expect(data.at(-1)).toMatchObject({ type: 'post.updated', data: { change: 'edited' } })
    const [entry] = (await owner.get('/api/v1/workspace/audit-log?action=post.updated')).body.data
    expect(entry.details).toMatchObject({ restored_number: 1 })
  })

  test('is refused to viewers, to authors of other posts, and with the ETag of an older version of the record', async () => {
    const { owner, id, change } = await draft(t)
    const [version] = await list(owner, id)
    const path = `${pathOf(id)}/versions/${version?.id}/restore`
    for (const role of ['viewer', 'author'] as const)
      expectProblem(await (await memberOf(t, owner.workspace_id, role)).post(path), 403, 'forbidden_role')
    const etag = String((await owner.get(pathOf(id))).headers.get('etag'))
    await change(owner, { content: 'Two' })
    expectProblem(await owner.post(path, {}, { 'if-match': etag }), 412, 'version_conflict')
    expectProblem(await owner.post(`${pathOf(id)}/versions/${randomUUID()}/restore`), 404, 'not_found')
  })

  test('asks for the approval of an approved post again', async () => {
    const { owner, author, write, approve, read: readPost } = await approvalTeam(t)
    const scheduled_at = new Date(t.clock.now().getTime() + DAY).toISOString()
    const { id } = await write({ scheduled_at })
    expectStatus(await owner.patch(pathOf(id), { content: 'Bye' }), 200)
    await approve(owner, id)
    expect(await readPost(id)).toMatchObject({ status: 'scheduled', review: 'approved' })
    const first = (await list(owner, id)).at(-1)
    expectStatus(await author.post(`${pathOf(id)}/versions/${first?.id}/restore`), 200)
    expect(await readPost(id)).toMatchObject({ content: 'Hello', status: 'draft', review: 'pending' })
  })

  test('is refused for a file that was deleted, and leaves out an account that was removed', async () => {
    const { owner, author, id, change } = await draft(t)
    const [account, file] = [await playgroundAccount(owner), await uploaded(owner)]
    await change(owner, { media_ids: [file.id] })
    await change(author, { media_ids: [], account_ids: [account] })
    await change(owner, { account_ids: [], content: 'Two' })
    expectStatus(await owner.delete(`/api/v1/media/${file.id}`), 204)
    expectStatus(await owner.delete(`/api/v1/accounts/${account}`), 204)
    const [, withAccount, withFile] = await list(owner, id)
    const restore = (version?: VersionSummary) => owner.post(`${pathOf(id)}/versions/${version?.id}/restore`)
    expect(await read(owner, id, withFile?.id)).toMatchObject({ media: [{ id: file.id, is_deleted: true }] })
    const { errors } = expectProblem(await restore(withFile), 400, 'validation_failed')
    expect(errors).toMatchObject([{ pointer: '/media_ids/0', message: 'This file does not exist.' }])
    expect(await read(owner, id, withAccount?.id)).toMatchObject({
      targets: [{ account_id: account, is_removed: true }],
    })
    expect(expectStatus(await restore(withAccount), 200).body).toMatchObject({ content: 'One', targets: [] })
  })
})
