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
import { idOf, rowsSince } from '../meta/graph.ts'
import type { OpenAccount, Part, PartMedia, Publication, Published } from '../network.ts'
import { textOption } from '../options.ts'
import { lettersOf } from '../text/letters.ts'
import { ask, replyTo } from './api.ts'

const isStory = ({ options }: Publication) => options.type === 'story'

/** Publishes the post or the story, and comments below it. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const {
    parts: [part],
    first_comment,
  } = publication
  const container = await prepare(deps, publication, part)
  const { id } = await publishContainer(publication, callsOf(deps, publication), {
    ...{ id: container, name: 'post 0', part: 0 },
    find: (begunAt) => find(deps, publication, part, begunAt),
  })
  if (first_comment !== null) await comment(deps, publication, { id, text: first_comment })
  const url = await permalinkOf(() => ask(deps, publication, { path: `/${id}`, params: { fields: 'permalink' } }))
  return { external_id: id, url }
}

/** Makes the container of the post, which nobody sees. Files of a carousel have a container each before it. */
async function prepare(deps: Deps, publication: Publication, part: Part): Promise<string> {
  const [file, ...others] = part.media
  if (!file) throw new Error('A post on Instagram has at least one file')
  const calls = callsOf(deps, publication)
  const isReel = file.kind === 'video' && others.length === 0
  if (others.length === 0)
    return prepareContainer(deps, publication, calls, {
      name: 'container 0',
      isFilm: file.kind === 'video',
      params: async () => ({
        ...(isStory(publication)
          ? { ...(await addressParam(file)), media_type: 'STORIES' }
          : {
              ...(await fileParams(file)),
              ...(isReel && reelParams(publication)),
              ...postParams(publication, part),
            }),
      }),
    })
  const children = await prepareChildren(deps, publication, calls, {
    ...{ files: part.media, index: 0 },
    paramsOf: async (each) => ({ ...(await fileParams(each)), ...(each.kind === 'video' && { media_type: 'VIDEO' }) }),
  })
  return prepareContainer(deps, publication, calls, {
    ...{ name: 'container 0', isFilm: false },
    params: () => ({ media_type: 'CAROUSEL', children, ...postParams(publication, part) }),
  })
}

const fileParams = async (file: PartMedia) => ({
  ...(await addressParam(file)),
  // Films and stories have none.
  ...(file.kind === 'image' && file.alt !== '' && { alt_text: file.alt }),
})

function postParams({ options: { collaborators } }: Publication, { text }: Part) {
  const names = Array.isArray(collaborators) ? collaborators.map((name) => String(name).replace(/^@/, '')) : []
  return { ...(text !== '' && { caption: text }), ...(names.length > 0 && { collaborators: names }) }
}

const reelParams = ({ options: { share_to_feed, cover_second } }: Publication) => ({
  media_type: 'REELS',
  share_to_feed: share_to_feed !== false,
  ...(textOption(cover_second) !== '' && { thumb_offset: Math.round(Number(textOption(cover_second)) * 1000) }),
})

const callsOf = (deps: Deps, account: OpenAccount) =>
  containerCalls((request) => ask(deps, account, request), account.account.external_id, {
    create: 'media',
    publish: 'media_publish',
    status: 'status_code',
    reason: 'status',
  })

/** Posts of an account that are searched for one whose response was lost. */
const SEARCHED = 50

async function find(deps: Deps, publication: Publication, { text }: Part, begunAt: Date) {
  const [edge, sought] = isStory(publication) ? ['stories', null] : ['media', text]
  const listed = await replyTo(deps, publication, {
    path: `/${publication.account.external_id}/${edge}`,
    params: { fields: 'id,caption,timestamp', limit: SEARCHED },
  })
  return findPublished(deps, listed, { text: sought, textField: 'caption', begunAt })
}

const comment = (deps: Deps, publication: Publication, { id, text }: { id: string; text: string }) =>
  publication.step('comment', {
    run: async () => {
      const params = { message: text }
      return { id: idOf(await ask(deps, publication, { method: 'POST', path: `/${id}/comments`, params })) }
    },
    ifLost: { find: (_, begunAt) => findComment(deps, publication, { id, text, begunAt }), ifAbsent: 'wait' },
  })

async function findComment(
  deps: Deps,
  publication: Publication,
  { id, text, begunAt }: { id: string; text: string; begunAt: Date },
): Promise<{ id: string } | 'absent'> {
  const path = `/${id}/comments`
  const listed = await replyTo(deps, publication, { path, params: { fields: 'id,text,timestamp', limit: SEARCHED } })
  const rows = rowsSince(deps, listed, { field: 'timestamp', begunAt })
  const found = rows.find((row) => lettersOf(String(row.text)) === lettersOf(text))
  return found ? { id: idOf(found) } : 'absent'
}
