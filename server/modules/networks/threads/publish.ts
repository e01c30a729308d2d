import type { Deps } from '../../../lib/deps.ts'
import {
  addressParam,
  containerCalls,
  findPublished,
  permalinkOf,
  prepareChildren,
  prepareContainer,
  publishContainer,
} from '../meta/containers.ts'
import type { OpenAccount, Part, PartMedia, Publication, Published } from '../network.ts'
import { textOption } from '../options.ts'
import { ask, replyTo } from './api.ts'

/** Publishes the post, and the other parts of its thread as replies, each to the one before. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  let root: string | undefined
  let parent: string | undefined
  for (const [index, part] of publication.parts.entries()) {
    const container = await prepare(deps, publication, { part, index, parent })
    const { id } = await publishContainer(publication, callsOf(deps, publication), {
      ...{ id: container, name: `post ${index}`, part: index },
      find: (begunAt) => find(deps, publication, { part, isReply: index > 0, begunAt }),
    })
    root ??= id
    parent = id
  }
  if (root === undefined) throw new Error('A publication has at least one part')
  const path = `/${root}`
  const url = await permalinkOf(() => ask(deps, publication, { path, params: { fields: 'permalink' } }))
  return { external_id: root, url }
}

/** Makes the container of a part, which nobody sees. Those of several files have a container each before it. */
async function prepare(
  deps: Deps,
  publication: Publication,
  { part, index, parent }: { part: Part; index: number; parent: string | undefined },
) {
  const calls = callsOf(deps, publication)
  const { options } = publication
  const topic = textOption(options.topic_tag)
  const common = {
    ...(part.text !== '' && { text: part.text }),
    ...(parent !== undefined && { reply_to_id: parent }),
    ...(parent === undefined && typeof options.reply_control === 'string' && { reply_control: options.reply_control }),
    ...(parent === undefined && topic !== '' && { topic_tag: topic }),
  }
  const [file, ...others] = part.media
  const name = `container ${index}`
  if (!file)
    return prepareContainer(deps, publication, calls, {
      name,
      isFilm: false,
      params: () => ({ media_type: 'TEXT', ...common }),
    })
  if (others.length === 0)
    return prepareContainer(deps, publication, calls, {
      name,
      isFilm: file.kind === 'video',
      params: async () => ({ ...(await fileParams(file)), ...common }),
    })
  const children = await prepareChildren(deps, publication, calls, { files: part.media, index, paramsOf: fileParams })
  const params = () => ({ media_type: 'CAROUSEL', children, ...common })
  return prepareContainer(deps, publication, calls, { name, isFilm: false, params })
}

const callsOf = (deps: Deps, account: OpenAccount) =>
  containerCalls((request) => ask(deps, account, request), account.account.external_id, {
    create: 'threads',
    publish: 'threads_publish',
    status: 'status',
    reason: 'error_message',
  })

const fileParams = async (file: PartMedia) => ({
  media_type: file.kind === 'video' ? 'VIDEO' : 'IMAGE',
  ...(await addressParam(file)),
  ...(file.alt !== '' && { alt_text: file.alt }),
})

type Sought = { part: Part; isReply: boolean; begunAt: Date }

async function find(deps: Deps, account: OpenAccount, { part, isReply, begunAt }: Sought) {
  const path = `/${account.account.external_id}/${isReply ? 'replies' : 'threads'}`
  const listed = await replyTo(deps, account, { path, params: { fields: 'id,text,timestamp', limit: 100 } })
  return findPublished(deps, listed, { text: part.text, textField: 'text', begunAt })
}
