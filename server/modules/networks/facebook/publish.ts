import { linksIn } from '../../../../shared/text/links.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { idOf, isAbsent, isGraphError } from '../meta/graph.ts'
import type { Part, Publication, Published, PublishedPost } from '../network.ts'
import { addressOf, askAsPage, preparePhoto } from './api.ts'
import { findComment, findPost, type Post } from './look-up.ts'
import { publishReel, publishStory } from './reels-and-stories.ts'
import { publishVideo } from './video.ts'

/** Facebook cannot read the page of a link, or does not allow it. */
const BAD_LINK = { code: 100, subcode: 1609005 }

/** Publishes the post, and comments below it. */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const {
    parts: [part],
    first_comment,
  } = publication
  const post = await publishPart(deps, publication, part)
  if (first_comment !== null) await comment(deps, publication, { post, text: first_comment })
  return { external_id: post.id, url: post.url }
}

function publishPart(deps: Deps, publication: Publication, part: Part): Promise<Post> {
  const { text, media } = part
  const [file] = media
  const { type } = publication.options
  if (file && type === 'story') return publishStory(deps, publication, file)
  if (file?.kind !== 'video') return publishToFeed(deps, publication, part)
  return (type === 'reel' ? publishReel : publishVideo)(deps, publication, { text, file })
}

type FeedPost = { message: string; photos: string[]; link: string | null }

/** Photos are uploaded one by one, where nobody sees them until the post has them. */
const publishToFeed = (deps: Deps, publication: Publication, { text, media }: Part): Promise<Post> =>
  publication.step('post 0', {
    part: 0,
    intent: async (): Promise<FeedPost> => {
      const photos: string[] = []
      for (const [index, photo] of media.entries())
        photos.push(await preparePhoto(deps, publication, photo, `upload 0.${index}`))
      const isBare = photos.length > 0 || publication.options.link_preview === false
      return { message: text, photos, link: isBare ? null : (linksIn(text)[0]?.url ?? null) }
    },
    run: (post) => createPost(deps, publication, post),
    ifLost: { find: (post, begunAt) => findPost(deps, publication, { ...post, begunAt }), ifAbsent: 'wait' },
  })

async function createPost(deps: Deps, publication: Publication, { message, photos, link }: FeedPost) {
  const params = {
    ...(message !== '' && { message }),
    ...(photos.length > 0 && { attached_media: photos.map((id) => ({ media_fbid: id })) }),
  }
  const send = async (more: object): Promise<Post> => {
    const path = `/${publication.account.external_id}/feed?fields=id,permalink_url`
    const post = await askAsPage(deps, publication, { method: 'POST', path, params: { ...params, ...more } })
    return { id: idOf(post), url: addressOf(post) }
  }
  if (link === null) return send({})
  try {
    return await send({ link })
  } catch (thrown) {
    if (!isGraphError(thrown, BAD_LINK)) throw thrown
    return send({})
  }
}

const comment = (deps: Deps, publication: Publication, { post, text }: { post: Post; text: string }) =>
  publication.step('comment', {
    intent: () => ({ message: text }),
    run: async (params) => {
      const path = `/${post.id}/comments`
      return { id: idOf(await askAsPage(deps, publication, { method: 'POST', path, params })) }
    },
    ifLost: {
      find: ({ message }, begunAt) => findComment(deps, publication, { post, message, begunAt }),
      ifAbsent: 'wait',
    },
  })

/** The text of a video is its description. */
const isVideo = ({ results }: PublishedPost) => fieldsOf(results['post 0']).video_id !== undefined

export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const params = isVideo(post) ? { description: text } : { message: text }
  await askAsPage(deps, post, { method: 'POST', path: `/${post.external_id}`, params })
}

/** Facebook deletes the comments with the post. */
export async function remove(deps: Deps, post: PublishedPost) {
  // The post itself has no id yet if what follows it failed.
  const { id, video_id } = fieldsOf(post.results['post 0'])
  try {
    await askAsPage(deps, post, { method: 'DELETE', path: `/${video_id ?? id ?? post.external_id}` })
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown
  }
}
