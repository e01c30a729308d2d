/** A channel of the network HTTP, which cannot be asked for a post whose response was lost. */
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { newWebhookSecret } from '../../../lib/crypto/webhook-signature.ts'

export async function httpChannel() {
  const receiver = await webhookReceiver()
  return {
    receiver,
    /** Responds to posts with this status, and accepts all else. */
    respondToPosts: (status: number) =>
      receiver.respondWith((response, { type }) => response.writeHead(type === 'post.publish' ? status : 200).end()),
    /** Creates a workspace with an account on the channel. */
    connect: async (t: TestApp) => {
      const owner = await withWorkspace(t)
      const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
      const { body } = expectStatus(await owner.post('/api/v1/accounts', form), 201)
      return { owner, account: body.id as string }
    },
    sentPosts: () => receiver.received.filter(({ type }) => type === 'post.publish').length,
    close: receiver.close,
  }
}
