import { isDeepStrictEqual } from 'node:util'
import { mentionById } from '../../../../shared/text/mentions.ts'
import type { Deps } from '../../../lib/deps.ts'
import { storableJson } from '../../../lib/text.ts'
import { fieldsOf, jsonOf, serverTime } from '../calls/call.ts'
import { checkBy } from '../calls/credentials.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { withToken } from '../oauth/with-token.ts'
import { textOption } from '../options.ts'
import { ask, Duplicate, inPath } from './api.ts'
import { upload } from './media.ts'
import { readMember, readPages } from './sign-in.ts'

/** Posts of a page that are searched for one whose response was lost. */
const SEARCHED = 20

const urlOf = (urn: string) => `https://www.linkedin.com/feed/update/${urn}/`
const isPage = ({ account }: OpenAccount) => account.external_id.startsWith('urn:li:organization:')

type Post = Record<string, unknown> & { commentary: string }

/** Attaches the files of a part. Several images become a gallery. */
function contentOf({ media }: Part, urns: string[], { options }: Publication) {
  const [file, ...others] = media
  const [id = ''] = urns
  if (!file) return
  if (others.length > 0)
    return { multiImage: { images: media.map(({ alt }, index) => ({ id: urns[index], altText: alt })) } }
  if (file.kind === 'document') return { media: { id, title: textOption(options.title) || 'PDF' } }
  if (file.kind === 'video')
    return { media: { id, ...(textOption(options.title) && { title: textOption(options.title) }) } }
  return { media: { id, altText: file.alt } }
}

/** A card for a link. LinkedIn reads no pages itself. */
function articleOf({ options }: Publication) {
  const source = textOption(options.article_url)
  if (source === '') return
  return {
    article: { source, title: textOption(options.title) || new URL(source).hostname },
  }
}

/** Characters with a meaning in LinkedIn's "little text". Unescaped, they and what follows disappear. */
const RESERVED = /[\\|{}@[\]()<>#*_~]/g

const MEANING = new RegExp(`${mentionById.source}|${RESERVED.source}`, 'g')

/** Escapes a text so that readers see it as it was written. Hashtags and mentions stay what they are. */
const escaped = (text: string) =>
  text.replace(MEANING, (found, name: string | undefined, id: string, index: number) => {
    if (name !== undefined) return `@[${name.replace(RESERVED, '\\$&')}](${id})`
    return found === '#' && isHashtag(text, index) ? found : `\\${found}`
  })

/** A word begins at white space, and behind an opening mark. */
const isHashtag = (text: string, index: number) =>
  (index === 0 || /[\s([{"'“”„‘‚«‹]/.test(text[index - 1] ?? '')) &&
  /^#[\p{L}\p{N}]/u.test(text.slice(index, index + 3))

async function toPost(deps: Deps, publication: Publication, part: Part): Promise<Post> {
  const urns: string[] = []
  for (const [index, file] of part.media.entries()) urns.push(await upload(deps, publication, file, `upload ${index}`))
  const content = contentOf(part, urns, publication) ?? articleOf(publication)
  const { visibility = 'PUBLIC' } = publication.options
  return {
    author: publication.account.external_id,
    commentary: escaped(part.text),
    visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content && { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }
}

async function create(deps: Deps, token: string, post: Post): Promise<string> {
  const { headers } = await ask(deps, token, { method: 'POST', path: '/rest/posts', json: post })
  const urn = headers['x-restli-id'] ?? headers['x-linkedin-id']
  if (urn === undefined || !/^urn:li:\w+:\d+$/.test(urn))
    throw new NetworkFault({ kind: 'unconfirmed', message: 'LinkedIn confirmed the post without its id.' })
  return urn
}

/** Looks for a post of a page by its text. Members cannot list their posts. */
async function findOnPage(deps: Deps, token: string, { author, commentary }: Post, begunAt: Date) {
  const query = `author=${inPath(String(author))}&q=author&count=${SEARCHED}&sortBy=CREATED`
  const reply = await ask(deps, token, { path: `/rest/posts?${query}`, headers: { 'x-restli-method': 'FINDER' } })
  const since = serverTime(deps, reply, begunAt).getTime()
  const { elements } = fieldsOf(jsonOf(reply))
  const match = (Array.isArray(elements) ? elements : [])
    .map(fieldsOf)
    .find(({ createdAt, commentary: text }) => text === commentary && Number(createdAt) >= since)
  return typeof match?.id === 'string' ? match.id : ('absent' as const)
}

/**
 * Publishes a text of a member. If the response is lost, the text is sent again: LinkedIn leaves one post of the same
 * text, and names it when it refuses the second. Of a text that was changed since, only a person can find out.
 */
function onceByText(deps: Deps, publication: Publication, part: Part) {
  let duplicate: Duplicate | undefined
  let isRepeated = false
  return {
    run: async (post: Post) => {
      try {
        return await withToken(publication, (token) => create(deps, token, post))
      } catch (thrown) {
        if (thrown instanceof Duplicate) duplicate = thrown
        throw thrown
      }
    },
    ifLost: {
      find: async (sent: Post) => {
        if (!isDeepStrictEqual(sent, storableJson(await toPost(deps, publication, part)))) throw changedSince()
        if (isRepeated && duplicate) return duplicate.urn
        isRepeated = true
        // Throws without credentials, so that the step stays lost.
        await publication.accessToken()
        return 'absent' as const
      },
      ifAbsent: 'repeat' as const,
    },
  }
}

const changedSince = () =>
  new NetworkFault({
    kind: 'unconfirmed',
    message: 'The response was lost, and the post was changed since. LinkedIn does not show whether it arrived.',
    needs_resolution: true,
  })

export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, first_comment, step } = publication
  const [part] = parts
  const common = { part: 0, intent: () => toPost(deps, publication, part) }
  const run = (kept: Post) => withToken(publication, (token) => create(deps, token, kept))
  const send = () => {
    if (isPage(publication))
      return step('post 0', {
        ...common,
        run,
        ifLost: {
          find: (kept, begunAt) => withToken(publication, (token) => findOnPage(deps, token, kept, begunAt)),
          ifAbsent: 'wait',
        },
      })
    if (part.media.length === 0) return step('post 0', { ...common, ...onceByText(deps, publication, part) })
    // Whether LinkedIn refuses the same text with the same file is not documented.
    return step('post 0', { ...common, run, ifLost: 'ask' })
  }
  const urn = await send()
  if (urn !== null && first_comment !== null) await comment(deps, publication, urn, first_comment)
  return urn === null ? { external_id: '', url: null } : { external_id: urn, url: urlOf(urn) }
}

const comment = (deps: Deps, publication: Publication, urn: string, text: string) =>
  publication.step('comment', {
    run: async () => {
      await withToken(publication, (token) =>
        ask(deps, token, {
          method: 'POST',
          path: `/rest/socialActions/${inPath(urn)}/comments`,
          json: { actor: publication.account.external_id, object: urn, message: { text } },
        }),
      )
      return {}
    },
    ifLost: 'ask',
  })

export async function remove(deps: Deps, post: PublishedPost) {
  const path = `/rest/posts/${inPath(post.external_id)}`
  const headers = { 'x-restli-method': 'DELETE' }
  await withToken(post, (token) => ask(deps, token, { method: 'DELETE', path, headers, accept: 404 }))
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(() =>
    withToken(account, async (token) => {
      if (!isPage(account)) {
        const { avatar } = await readMember(deps, token)
        return { avatar }
      }
      const pages = await readPages(deps, token)
      if (!pages.some(({ external_id }) => external_id === account.account.external_id))
        throw new NetworkFault({
          kind: 'unauthorized',
          message: 'The person who signed in may no longer publish for this page.',
        })
      return {}
    }),
  )
