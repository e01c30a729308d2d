import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { containerCalls, findPublished, permalinkOf, publishPart } from '../meta/containers.ts'
import { isAbsent } from '../meta/graph.ts'
import type { Part, PartMedia, Publication, Published, PublishedPost } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { textOption } from '../options.ts'
import { partResults, publishThread } from '../publish-thread.ts'
import { ask, replyTo } from './api.ts'

/** Publishes the post, and the other parts of its thread as replies, each to the one before. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { id } = await publishThread<{ id: string }>(publication.parts, ({ part, index, before }) =>
    publishPart(publication, callsOf(deps, publication), {
      ...{ index, text: part.text, files: part.media, paramsOf: fileParams },
      params: paramsOf(publication, part, before?.parent.id),
      find: (text, begunAt) => find(deps, publication, { text, isReply: index > 0, begunAt }),
    }),
  )
  const url = await permalinkOf(() => ask(deps, publication, { path: `/${id}`, params: { fields: 'permalink' } }))
  return { external_id: id, url }
}

function paramsOf({ options }: Publication, { text, media }: Part, parent: string | undefined) {
  const topic = textOption(options.topic_tag)
  return {
    ...(media.length === 0 && { media_type: 'TEXT' }),
    ...(text !== '' && { text }),
    ...(parent !== undefined && { reply_to_id: parent }),
    ...(parent === undefined && typeof options.reply_control === 'string' && { reply_control: options.reply_control }),
    ...(parent === undefined && topic !== '' && { topic_tag: topic }),
  }
}

const callsOf = (deps: Deps, account: OpenAccount) =>
  containerCalls((request) => ask(deps, account, request), account.account.external_id, {
    create: 'threads',
    publish: 'threads_publish',
    status: 'status',
    reason: 'error_message',
  })

const fileParams = ({ kind, alt }: PartMedia) => ({
  media_type: kind === 'video' ? 'VIDEO' : 'IMAGE',
  ...(alt !== '' && { alt_text: alt }),
})

type Sought = { text: string; isReply: boolean; begunAt: Date }

async function find(deps: Deps, account: OpenAccount, { text, isReply, begunAt }: Sought) {
  const path = `/${account.account.external_id}/${isReply ? 'replies' : 'threads'}`
  const reply = await replyTo(deps, account, { path, params: { fields: 'id,text,timestamp', limit: 100 } })
  return findPublished(deps, reply, { text, textField: 'text', begunAt })
}

const isPost = (result: unknown): result is { id: string } => typeof fieldsOf(result).id === 'string'

/** Deletes the parts of the thread, the last first, so that nothing is left in reply to nothing. */
export async function remove(deps: Deps, post: PublishedPost) {
  for (const { id } of partResults(post, isPost).toReversed())
    try {
      await ask(deps, post, { method: 'DELETE', path: `/${id}` })
    } catch (thrown) {
      if (!isAbsent(thrown)) throw thrown
    }
}
