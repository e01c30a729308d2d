import { titleAndBody } from '../../../../shared/text/title-and-body.ts'
import { MINUTE } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import type { PartMedia, Publication, Published, PublishedPost } from '../network.ts'
import { textOption } from '../options.ts'
import { htmlOf } from '../text/article-html.ts'
import { httpUrl } from '../text/http-url.ts'
import { ask, errorOf, type Fields, rest, type Site, siteOf, success, unclear } from './api.ts'
import { contentOf, featuredOf, type Upload } from './content.ts'
import { termIds } from './terms.ts'

const UPLOAD_MS = 10 * MINUTE

/** The slug of a draft, by which it is found again. Its real slug comes with publishing. */
const draftSlug = (key: string) => `meydan-${key}`

const texts = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

/**
 * Creates a draft, and publishes it by its id: that can be repeated. A slug finds the draft again, but a site takes the
 * same slug twice.
 */
export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, key, options, step, prepare } = publication
  const [part] = parts
  // Opened by the steps: one that was lost stays lost without credentials.
  const open = () => siteOf(publication)
  const { id } = await step('draft', {
    run: async () => findOrCreateDraft(deps, open(), publication),
    ifLost: 'repeat',
  })
  const title = textOption(options.title)
  return step('post 0', {
    part: 0,
    intent: async () => {
      const files: Upload[] = []
      for (const media of part.media)
        files.push(
          await prepare(`upload ${media.id}`, {
            from: { file: media.version, alt: media.alt },
            make: async () => upload(deps, open(), { key, media }),
          }),
        )
      const fields: Fields = {
        ...contentFields(part.text, { title, files }),
        ...(await settingFields(deps, open(), options)),
        featured_media: featuredOf(files)?.id ?? 0,
      }
      return { fields, files, title }
    },
    run: async ({ fields, ...kept }): Promise<PublishedHere> => {
      const post = await changePost(deps, open(), id, { ...fields, slug: '' })
      return { ...published(id, post), ...kept }
    },
    ifLost: {
      find: async ({ files, title: sent }) => {
        const post = await readPost(deps, open(), id)
        // One call sets status and slug.
        if (post === 'absent' || String(post.slug).startsWith(draftSlug(key))) return 'absent'
        return { ...published(id, post), files, title: sent }
      },
      ifAbsent: 'repeat',
    },
  })
}

/** A published post, with the fields that `edit` needs. `title`: empty if the first line is the title. */
type PublishedHere = Published & { files: Upload[]; title: string }

const contentFields = (whole: string, { title: own, files }: { title: string; files: readonly Upload[] }): Fields => {
  const { title, body } = titleAndBody(whole, own)
  return { title: htmlOf(title), content: contentOf(body, files) }
}

async function settingFields(deps: Deps, site: Site, options: Publication['options']): Promise<Fields> {
  const [categories, tags] = [texts(options.categories), texts(options.tags)]
  const excerpt = textOption(options.excerpt)
  return {
    status: options.status === 'draft' ? 'draft' : 'publish',
    ...(excerpt && { excerpt: htmlOf(excerpt) }),
    ...((options.comments === 'open' || options.comments === 'closed') && { comment_status: options.comments }),
    ...(categories.length > 0 && { categories: await termIds(deps, site, 'categories', categories) }),
    ...(tags.length > 0 && { tags: await termIds(deps, site, 'tags', tags) }),
  }
}

const published = (id: number, { link }: Fields): Published => ({
  external_id: String(id),
  url: httpUrl(link),
})

const POST_FIELDS = 'id,slug,status,link'

async function findOrCreateDraft(deps: Deps, site: Site, { key, parts, options }: Publication) {
  const slug = draftSlug(key)
  const query = { slug, status: 'draft,publish,future,pending,private', context: 'edit', _fields: POST_FIELDS }
  const posts = await rest(deps, site, '/wp/v2/posts', { query })
  if (!Array.isArray(posts)) throw unclear('The site responded with something else than a list of posts.')
  const post =
    posts.length > 0
      ? fieldsOf(posts[0])
      : fieldsOf(
          await rest(deps, site, '/wp/v2/posts', {
            method: 'POST',
            json: {
              ...contentFields(parts[0].text, { title: textOption(options.title), files: [] }),
              slug,
              status: 'draft',
            },
            query: { _fields: POST_FIELDS },
          }),
        )
  if (typeof post.id !== 'number') throw unclear('The site responded without the id of the draft.')
  return { id: post.id }
}

async function readPost(deps: Deps, site: Site, id: number): Promise<Fields | 'absent'> {
  const reply = await ask(deps, site, `/wp/v2/posts/${id}`, { query: { context: 'edit', _fields: POST_FIELDS } })
  return errorOf(reply).code === 'rest_post_invalid_id' ? 'absent' : fieldsOf(success(deps, reply))
}

async function changePost(deps: Deps, site: Site, id: number | string, fields: Fields) {
  const post = fieldsOf(
    await rest(deps, site, `/wp/v2/posts/${id}`, { method: 'POST', json: fields, query: { _fields: POST_FIELDS } }),
  )
  if (String(post.id) !== String(id)) throw unclear('The site responded about another post.')
  return post
}

/** Sends a file to the library, unless an earlier attempt did, by its slug. */
async function upload(deps: Deps, site: Site, { key, media }: { key: string; media: PartMedia }): Promise<Upload> {
  const slug = `${draftSlug(key)}-${media.id}`
  const _fields = 'id,source_url'
  const files = await rest(deps, site, '/wp/v2/media', { query: { slug, _fields } })
  const file = fieldsOf(Array.isArray(files) && files.length > 0 ? files[0] : await send(deps, site, slug, media))
  const [id, url] = [file.id, httpUrl(file.source_url)]
  if (typeof id !== 'number' || url === null) throw unclear('The site responded without the address of the file.')
  await rest(deps, site, `/wp/v2/media/${id}`, { method: 'POST', json: { alt_text: media.alt }, query: { _fields } })
  return { id, url, kind: media.kind, alt: media.alt }
}

/** Characters that every site keeps in the name of a file. */
const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')

async function send(deps: Deps, site: Site, slug: string, media: PartMedia) {
  const { stream, bytes, mime, name } = await media.open()
  const headers = {
    'content-type': mime,
    'content-length': String(bytes),
    'content-disposition': `attachment; filename="${plainName(name)}"`,
  }
  const query = { slug, _fields: 'id,source_url' }
  return rest(deps, site, '/wp/v2/media', { method: 'POST', query, headers, body: stream, timeoutMs: UPLOAD_MS })
}

/** The result of `post 0`, from which the text is composed again. */
function hereOf({ results }: PublishedPost): Pick<PublishedHere, 'files' | 'title'> {
  const { files, title } = fieldsOf(results['post 0'])
  return { files: Array.isArray(files) ? files : [], title: textOption(title) }
}

export async function edit(deps: Deps, post: PublishedPost, content: string) {
  await changePost(deps, siteOf(post), post.external_id, contentFields(content, hereOf(post)))
}

/** Moves the post to the trash of the site, or deletes it where there is none. Its files stay in the library. */
export async function remove(deps: Deps, post: PublishedPost) {
  const site = siteOf(post)
  const route = `/wp/v2/posts/${post.external_id}`
  const reply = await ask(deps, site, route, { method: 'DELETE', query: { _fields: 'id' } })
  const { code } = errorOf(reply)
  if (['rest_already_trashed', 'rest_post_invalid_id'].includes(code)) return
  if (code === 'rest_trash_not_supported')
    await rest(deps, site, route, { method: 'DELETE', query: { force: 'true', _fields: 'deleted' } })
  else success(deps, reply)
}
