import { HOUR } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { callWithForm } from '../calls/multipart.ts'
import { NetworkFault, type Part, type PartMedia, type Publication } from '../network.ts'
import { asAccount, ask, authorization, type Credentials, isId, requireSuccess } from './server.ts'

/** Servers delete files that no post has for a day. */
const KEPT_MS = 12 * HOUR
/** Time between two questions whether a file is processed, in seconds. */
export const POLL_S = 5

/** Uploads the files of a part, and waits until the server has processed them. Returns their ids. */
export async function uploadAll(
  deps: Deps,
  publication: Publication,
  { part, index }: { part: Part; index: number },
): Promise<string[]> {
  const ids: string[] = []
  for (const [number, file] of part.media.entries())
    ids.push(await prepare(deps, publication, file, `upload ${index}.${number}`))
  return ids
}

function prepare(deps: Deps, publication: Publication, file: PartMedia, name: string) {
  return publication.prepare(name, {
    from: { file: file.version, alt: file.alt },
    make: () => asAccount(publication, (credentials) => upload(deps, credentials, file)),
    ready: async ({ id, is_ready }) => {
      if (!is_ready) await requireProcessed(deps, publication, id)
      return id
    },
    keptMs: KEPT_MS,
  })
}

async function upload(deps: Deps, credentials: Credentials, file: PartMedia) {
  const request = {
    url: `${credentials.server}/api/v2/media`,
    headers: authorization(credentials.access_token),
  }
  const description = file.alt === '' ? [] : [{ name: 'description', value: file.alt }]
  const reply = requireSuccess(deps, await callWithForm(deps, request, [...description, { name: 'file', file }]))
  const { id } = fieldsOf(jsonOf(reply))
  if (!isId(id)) throw new NetworkFault({ kind: 'unconfirmed', message: 'The server responded without a file.' })
  return { id, is_ready: reply.status !== 202 }
}

async function requireProcessed(deps: Deps, publication: Publication, id: string) {
  const { status } = await ask(deps, publication, `/api/v1/media/${id}`)
  if (status !== 206) return
  const message = 'The server is still processing a file.'
  throw new NetworkFault({ kind: 'processing', message, retry_after_s: POLL_S })
}
