import { onTestFinished } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuthTo } from '../../../../test/network-faults.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'

/** Connects pages of stand-ins of Facebook. */
export function facebookPages(t: TestApp) {
  async function connect(how: { scopes?: string[] } = {}) {
    const server = await facebookServer()
    const page = server.addPage({ username: 'bakery' })
    server.oauth.signInAs('ada', how)
    return { ...(await connectByOAuthTo(t, server, 'facebook')), page }
  }

  async function withPage(how: { scopes?: string[] } = {}) {
    const network = await connect(how)
    onTestFinished(network.server.close)
    const { owner, account } = network
    const publish = async (fields: object = {}, options: object = {}) => {
      const post = { content: 'Hello', targets: [{ account_id: account, options }], publish_now: true, ...fields }
      const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
      await t.runJobs()
      return (await owner.get(`/api/v1/posts/${body.id}`)).body
    }
    const read = async () => (await owner.get(`/api/v1/accounts/${account}`)).body
    const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body
    return { ...network, publish, read, check }
  }
  return { connect, withPage }
}

export const withVideo = async (content: string, { owner }: { owner: WorkspaceOwner }) => ({
  content,
  media_ids: [(await uploaded(owner, { bytes: await videoFile(), name: 'a.mp4', type: 'video/mp4' })).id],
})
