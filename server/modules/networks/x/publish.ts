import type { Deps } from '../../../lib/deps.ts'
import { checkBy } from '../calls/credentials.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { publishedIds, publishThread } from '../publish-thread.ts'
import { ask, askData } from './api.ts'
import { type Authorize, asAccount } from './authorization.ts'
import { findPost } from './look-up.ts'
import { upload } from './media.ts'
import { readUser } from './sign-in.ts'

type Post = { text: string; media?: { media_ids: string[] }; reply?: { in_reply_to_tweet_id: string } }
type Sent = { id: string }

const urlOf = (handle: string, id: string) => `https://x.com/${handle}/status/${id}`

function bodyOf({ options }: Publication, text: string, media_ids: string[], parent: string | null): Post {
  const { reply_settings = 'everyone', made_with_ai, paid_partnership } = options
  return {
    text,
    ...(media_ids.length > 0 && { media: { media_ids } }),
    ...(parent !== null && { reply: { in_reply_to_tweet_id: parent } }),
    ...(parent === null && reply_settings !== 'everyone' && { reply_settings }),
    ...(made_with_ai === true && { made_with_ai }),
    ...(paid_partnership === true && { paid_partnership }),
  }
}

async function create(deps: Deps, authorize: Authorize, post: Post): Promise<Sent> {
  const { id } = await askData(deps, authorize, { method: 'POST', path: '/2/tweets', json: post })
  if (typeof id !== 'string' || !/^\d{1,19}$/.test(id))
    throw new NetworkFault({ kind: 'unconfirmed', message: 'X confirmed the post without its id.' })
  return { id }
}

export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, first_comment, step, account } = publication
  const send = async (name: string, part: Part, parent: string | null, index?: number): Promise<Sent> => {
    return step(name, {
      ...(index !== undefined && { part: index }),
      intent: async () => {
        const media_ids: string[] = []
        for (const [number, file] of part.media.entries())
          media_ids.push(await upload(deps, publication, file, `${index ?? name} ${number}`))
        return bodyOf(publication, part.text, media_ids, parent)
      },
      run: (post) => asAccount(deps, publication, (authorize) => create(deps, authorize, post)),
      ifLost: {
        find: ({ text, reply, media }, begunAt) =>
          asAccount(deps, publication, (authorize) =>
            findPost(deps, authorize, account.external_id, {
              ...{ text, begunAt },
              in_reply_to: reply?.in_reply_to_tweet_id ?? null,
              files: media?.media_ids.length ?? 0,
            }),
          ),
        ifAbsent: 'wait',
      },
    })
  }

  const root = await publishThread<Sent>(parts, ({ name, part, index, before }) =>
    send(name, part, before?.parent.id ?? null, index),
  )
  if (first_comment !== null) await send('comment', { text: first_comment, media: [] }, root.id)
  return { external_id: root.id, url: urlOf(account.handle, root.id) }
}

/** Deletes the comment and the parts of the thread, the last first, so that nothing is left in reply to nothing. */
export async function remove(deps: Deps, post: PublishedPost) {
  for (const id of publishedIds(post).reverse())
    await asAccount(deps, post, (authorize) =>
      ask(deps, authorize, { method: 'DELETE', path: `/2/tweets/${id}`, accept: 404 }),
    )
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(() =>
    asAccount(deps, account, async (authorize) => {
      const { handle, avatar } = await readUser(deps, authorize)
      return { handle, avatar }
    }),
  )
