import type { Deps } from '../../../lib/deps.ts'
import { containerCalls, findPublished, permalinkOf, publishPart } from '../meta/containers.ts'
import { idOf, rowsSince } from '../meta/graph.ts'
import type { Network, Part, PartMedia, Publication } from '../network.ts'
import { textOption } from '../options.ts'
import { lettersOf } from '../text/letters.ts'
import type { InstagramApi } from './api.ts'

const isStory = ({ options }: Publication) => options.type === 'story'

/** A publication over one of the APIs. */
type Publishing = { api: InstagramApi; deps: Deps; publication: Publication }

/** Publishes the post or the story, and comments below it. */
export const publishBy =
  (api: InstagramApi): Network['publish'] =>
  async (deps, publication) => {
    const {
      parts: [part],
      first_comment,
    } = publication
    if (part.media.length === 0) throw new Error('A post on Instagram has at least one file')
    const publishing = { api, deps, publication }
    const { id } = await publishPart(publication, callsOf(publishing), {
      ...{ index: 0, text: part.text, files: part.media },
      params: isStory(publication) ? {} : postParams(publication, part),
      paramsOf: (file, isChild) => fileParams(publication, file, isChild),
      find: (text, begunAt) => find(publishing, text, begunAt),
    })
    if (first_comment !== null) await comment(publishing, { id, text: first_comment })
    const request = { path: `/${id}`, params: { fields: 'permalink' } }
    const url = await permalinkOf(() => api.ask(deps, publication, request))
    return { external_id: id, url }
  }

/** Only images outside of stories have an alternative text. */
function fileParams(publication: Publication, { kind, alt }: PartMedia, isChild: boolean) {
  if (isStory(publication)) return { media_type: 'STORIES' }
  if (kind === 'video') return isChild ? { media_type: 'VIDEO' } : reelParams(publication)
  return alt === '' ? {} : { alt_text: alt }
}

function postParams({ options: { collaborators } }: Publication, { text }: Part) {
  const names = Array.isArray(collaborators) ? collaborators.map((name) => String(name).replace(/^@/, '')) : []
  return { ...(text !== '' && { caption: text }), ...(names.length > 0 && { collaborators: names }) }
}

const reelParams = ({ options: { share_to_feed, cover_second } }: Publication) => ({
  media_type: 'REELS',
  share_to_feed: share_to_feed !== false,
  ...(textOption(cover_second) !== '' && { thumb_offset: Math.round(Number(textOption(cover_second)) * 1000) }),
})

const callsOf = ({ api, deps, publication }: Publishing) =>
  containerCalls((request) => api.ask(deps, publication, request), publication.account.external_id, {
    create: 'media',
    publish: 'media_publish',
    status: 'status_code',
    reason: 'status',
  })

/** Posts of an account that are searched for one whose response was lost. */
const SEARCHED = 50

async function find({ api, deps, publication }: Publishing, text: string, begunAt: Date) {
  const [edge, sought] = isStory(publication) ? ['stories', null] : ['media', text]
  const reply = await api.replyTo(deps, publication, {
    path: `/${publication.account.external_id}/${edge}`,
    params: { fields: 'id,caption,timestamp', limit: SEARCHED },
  })
  return findPublished(deps, reply, { text: sought, textField: 'caption', begunAt })
}

const comment = (publishing: Publishing, { id, text }: { id: string; text: string }) => {
  const { api, deps, publication } = publishing
  return publication.step('comment', {
    intent: () => ({ message: text }),
    run: async (params) => ({
      id: idOf(await api.ask(deps, publication, { method: 'POST', path: `/${id}/comments`, params })),
    }),
    ifLost: {
      find: ({ message }, begunAt) => findComment(publishing, { id, text: message, begunAt }),
      ifAbsent: 'wait',
    },
  })
}

async function findComment(
  { api, deps, publication }: Publishing,
  { id, text, begunAt }: { id: string; text: string; begunAt: Date },
): Promise<{ id: string } | 'absent'> {
  const path = `/${id}/comments`
  const reply = await api.replyTo(deps, publication, { path, params: { fields: 'id,text,timestamp', limit: SEARCHED } })
  const rows = rowsSince(deps, reply, { field: 'timestamp', begunAt })
  const match = rows.find((row) => lettersOf(String(row.text)) === lettersOf(text))
  return match ? { id: idOf(match) } : 'absent'
}
