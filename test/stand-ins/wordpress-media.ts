import { fileTypeFromBuffer } from 'file-type'
import type { Reply } from './server.ts'
import { page, pick, type RestCall, RestError, rendered, slugOf, timeOf, unauthorized } from './wordpress-rest.ts'

type Media = {
  id: number
  slug: string
  name: string
  type: string
  alt: string
  caption: string
  url: string
  at: Date
}

/** Types that WordPress takes by the ending of the name. Images must also be what they say. */
const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
}

/** The library of a site. A file that is sent twice is there twice. */
export function wordpressMedia(newId: () => number) {
  const media = new Map<number, Media>()

  const toJson = ({ id, slug, name, type, alt, caption, url, at }: Media, base: string, isEdit: boolean) => ({
    id,
    date: timeOf(at),
    date_gmt: timeOf(at),
    slug,
    status: 'inherit',
    type: 'attachment',
    link: `${base}/${slug}/`,
    title: rendered(name.replace(/\.\w+$/, ''), isEdit),
    caption: rendered(caption, isEdit, caption && `<p>${caption}</p>\n`),
    alt_text: alt,
    media_type: type.startsWith('image/') ? 'image' : 'file',
    mime_type: type,
    media_details: {},
    post: null,
    source_url: url,
  })

  /** The name and bytes: of a form, or of a body with its name in a header. */
  function fileOf({ call }: RestCall): { name: string; bytes: Buffer } {
    const [file] = call.files
    if (file) return { name: file.name, bytes: file.bytes }
    const { 'content-type': type, 'content-disposition': disposition } = call.headers
    if (call.raw.length === 0) throw new RestError(400, 'rest_upload_no_data', 'No data supplied.')
    if (!type) throw new RestError(400, 'rest_upload_no_content_type', 'No Content-Type supplied.')
    if (!disposition) throw new RestError(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.')
    const [, name] = /\bfilename="?([^";]+)"?/.exec(disposition) ?? []
    if (!name)
      throw new RestError(
        400,
        'rest_upload_invalid_disposition',
        'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
      )
    // Node reads headers as Latin-1; WordPress reads their bytes as UTF-8.
    return { name: Buffer.from(name, 'latin1').toString(), bytes: call.raw }
  }

  async function typeOf(name: string, bytes: Buffer): Promise<string> {
    const byName = TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '']
    const sniffed = (await fileTypeFromBuffer(new Uint8Array(bytes)))?.mime
    const type = byName?.startsWith('image/') ? Object.values(TYPES).find((each) => each === sniffed) : byName
    if (!type)
      throw new RestError(500, 'rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.')
    return type
  }

  async function create(rest: RestCall): Promise<Reply> {
    const { user, base, at, fields } = rest
    if (!user || user.role === 'contributor')
      throw unauthorized(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
    const { name, bytes } = fileOf(rest)
    const type = await typeOf(name, bytes)
    const [, stem = '', ending = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
    const folder = `${base}/wp-content/uploads/${at.getUTCFullYear()}/${String(at.getUTCMonth() + 1).padStart(2, '0')}`
    const taken = new Set([...media.values()].map(({ url }) => url))
    const clean = slugOf(stem)
    let free = `${folder}/${clean}.${ending}`
    for (let number = 1; taken.has(free); number++) free = `${folder}/${clean}-${number}.${ending}`
    const plainSlug = slugOf(String(fields.slug ?? free.slice(folder.length + 1).replace(/\.\w+$/, '')))
    const slugs = new Set([...media.values()].map((each) => each.slug))
    let slug = plainSlug
    for (let number = 2; slugs.has(slug); number++) slug = `${plainSlug}-${number}`
    const id = newId()
    const one = { id, slug, name, type, alt: String(fields.alt_text ?? ''), caption: String(fields.caption ?? '') }
    media.set(id, { ...one, url: free, at })
    return {
      status: 201,
      body: pick(toJson({ ...one, url: free, at }, base, true), fields._fields),
      headers: { location: `${base}/wp-json/wp/v2/media/${id}`, 'x-wp-upload-attachment-id': String(id) },
    }
  }

  function onOne({ call, fields, user, base }: RestCall, id: number): Reply {
    const one = media.get(id)
    if (!one) throw new RestError(404, 'rest_post_invalid_id', 'Invalid post ID.')
    if (call.method === 'GET') return { status: 200, body: pick(toJson(one, base, false), fields._fields) }
    if (!user) {
      const verb = call.method === 'DELETE' ? 'delete' : 'edit'
      throw unauthorized(user, `rest_cannot_${verb}`, `Sorry, you are not allowed to ${verb} this post.`)
    }
    if (call.method !== 'DELETE') {
      one.alt = String(fields.alt_text ?? one.alt)
      one.caption = String(fields.caption ?? one.caption)
      return { status: 200, body: pick(toJson(one, base, true), fields._fields) }
    }
    if (String(fields.force) !== 'true')
      throw new RestError(
        501,
        'rest_trash_not_supported',
        "The post does not support trashing. Set 'force=true' to delete.",
      )
    media.delete(id)
    return { status: 200, body: pick({ deleted: true, previous: toJson(one, base, true) }, fields._fields) }
  }

  function list({ fields, base }: RestCall): Reply {
    const found = [...media.values()].toReversed().filter(({ slug, name }) => {
      if (fields.slug !== undefined && fields.slug !== slug) return false
      return fields.search === undefined || name.includes(String(fields.search))
    })
    return page(
      found.map((one) => toJson(one, base, false)),
      fields,
    )
  }

  return {
    media,
    handle: (rest: RestCall, id?: number): Reply | Promise<Reply> => {
      if (id !== undefined) return onOne(rest, id)
      return rest.call.method === 'POST' ? create(rest) : list(rest)
    },
  }
}
