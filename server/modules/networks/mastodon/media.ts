import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { callWithForm } from '../calls/multipart.ts'
import { NetworkFault, type Part, type PartMedia, type Publication } from '../network.ts'
import { ask, authorization, type Credentials, isId, requireSuccess } from './server.ts'

type Upload = { id: string; is_ready: boolean; uploaded_at: string }

/** Servers delete files that no post has for a day. */
const KEPT_MS = 12 * 3600_000
/** Time between two questions whether a file is processed, in seconds. */
const POLL_S = 5

/** Uploads the files of a part, and waits until the server has processed them. Returns their ids. */
export async function uploadAll(
  deps: Deps,
  publication: Publication,
  { part, index }: { part: Part; index: number },
): Promise<string[]> {
  const ids: string[] = []
  for (const [number, file] of part.media.entries())
    ids.push(await uploadOnce(deps, publication, { file, name: `upload ${index}.${number}` }))
  return ids
}

async function uploadOnce(deps: Deps, publication: Publication, { file, name }: { file: PartMedia; name: string }) {
  const { step, now } = publication
  const open = () => credentialsOf<Credentials>(publication)
  for (let time = 1; ; time++) {
    const suffix = time === 1 ? '' : ` again ${time}`
    const { id, is_ready, uploaded_at } = await step(`${name}${suffix}`, {
      run: async () => upload(deps, open(), file),
      ifLost: 'repeat',
    })
    if (now.getTime() - Date.parse(uploaded_at) > KEPT_MS) continue
    if (!is_ready)
      await step(`processed ${name}${suffix}`, {
        run: async () => requireProcessed(deps, open(), id),
        ifLost: 'repeat',
      })
    return id
  }
}

async function upload(deps: Deps, credentials: Credentials, file: PartMedia): Promise<Upload> {
  const request = {
    url: `${credentials.server}/api/v2/media`,
    headers: authorization(credentials.access_token),
  }
  const description = file.alt === '' ? [] : [{ name: 'description', value: file.alt }]
  const reply = requireSuccess(deps, await callWithForm(deps, request, [...description, { name: 'file', file }]))
  const { id } = fieldsOf(jsonOf(reply))
  if (!isId(id)) throw new NetworkFault({ kind: 'unconfirmed', message: 'The server responded without a file.' })
  return { id, is_ready: reply.status !== 202, uploaded_at: deps.clock.now().toISOString() }
}

async function requireProcessed(deps: Deps, credentials: Credentials, id: string) {
  const { status } = await ask(deps, credentials, `/api/v1/media/${id}`)
  if (status !== 206) return null
  const message = 'The server is still processing a file.'
  throw new NetworkFault({ kind: 'processing', message, retry_after_s: POLL_S })
}
