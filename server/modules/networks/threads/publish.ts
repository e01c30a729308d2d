import type { Deps } from '../../../lib/deps.ts'
import { ifAvailable } from '../calls/call.ts'
import { addressParam, type ContainerCalls, prepareContainer } from '../meta/containers.ts'
import { idOf } from '../meta/graph.ts'
import type { OpenAccount, Part, PartMedia, Publication, Published } from '../network.ts'
import { textOption } from '../options.ts'
import { ask } from './api.ts'
import { findPublished, stateOf } from './look-up.ts'

/** Publishes the post, and the other parts of its thread as replies, each to the one before. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  let root: string | undefined
  let parent: string | undefined
  for (const [index, part] of publication.parts.entries()) {
    const prepared = await prepare(deps, publication, { part, index, parent })
    const { id } = await publishContainer(deps, publication, { part, index, prepared })
    root ??= id
    parent = id
  }
  if (root === undefined) throw new Error('A publication has at least one part')
  return { external_id: root, url: await addressOf(deps, publication, root) }
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
  const children: string[] = []
  for (const [number, each] of part.media.entries())
    children.push(
      await prepareContainer(deps, publication, calls, {
        name: `upload ${index}.${number}`,
        isFilm: each.kind === 'video',
        params: async () => ({ ...(await fileParams(each)), is_carousel_item: true }),
      }),
    )
  const params = () => ({ media_type: 'CAROUSEL', children: children.join(','), ...common })
  return prepareContainer(deps, publication, calls, { name, isFilm: false, params })
}

const callsOf = (deps: Deps, account: OpenAccount): ContainerCalls => ({
  create: async (params) =>
    idOf(await ask(deps, account, { method: 'POST', path: `/${account.account.external_id}/threads`, params })),
  stateOf: (id) => stateOf(deps, account, id),
})

const fileParams = async (file: PartMedia) => ({
  media_type: file.kind === 'video' ? 'VIDEO' : 'IMAGE',
  ...(await addressParam(file)),
  ...(file.alt !== '' && { alt_text: file.alt }),
})

/** A container is published once, so its state tells whether a lost call arrived. */
const publishContainer = (
  deps: Deps,
  publication: Publication,
  { part, index, prepared }: { part: Part; index: number; prepared: string },
) =>
  publication.step(`post ${index}`, {
    part: index,
    intent: () => ({ creation_id: prepared }),
    run: async ({ creation_id }) => {
      const path = `/${publication.account.external_id}/threads_publish`
      return { id: idOf(await ask(deps, publication, { method: 'POST', path, params: { creation_id } })) }
    },
    ifLost: {
      find: ({ creation_id }, begunAt) =>
        findPublished(deps, publication, { creation_id, part, isReply: index > 0, begunAt }),
      ifAbsent: 'wait',
    },
  })

/** The address of a post; null if Threads does not say it now. */
async function addressOf(deps: Deps, account: OpenAccount, id: string) {
  const { permalink } =
    (await ifAvailable(() => ask(deps, account, { path: `/${id}`, params: { fields: 'permalink' } }))) ?? {}
  return typeof permalink === 'string' && /^https:\/\//.test(permalink) ? permalink : null
}
