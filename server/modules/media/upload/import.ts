import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { Problem, problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { codesOf } from '../../../lib/error-code.ts'
import type { Member } from '../../../lib/http/access.ts'
import { boundedFetch, ResponseTooLarge, refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { limits } from '../files/rules/upload-limits.ts'
import type { ImportMedia } from '../media.schema.ts'
import { inTemporaryFolder } from '../storage/temporary.ts'
import { beyond, receive } from './receive.ts'
import { assertRoom, keepReceived } from './upload.ts'

/** Time in which a file must have arrived. */
export const IMPORT_MS = 5 * MINUTE

type ImportDeps = Pick<Deps, 'db' | 'clock' | 'storage' | 'config' | 'dispatcher' | 'urlRules'>

const failed = (detail: string, cause?: unknown) => problem('import_failed', { detail, cause })

const forbidden = (message: string) =>
  problem('url_not_allowed', { detail: message, errors: [{ pointer: '/url', code: 'url_not_allowed', message }] })

/** The refusal for an error of the call, by what whoever gave the address can do about it. */
function problemOf(error: unknown) {
  if (error instanceof Problem) return error
  if (error instanceof ResponseTooLarge) return beyond(limits.bytes.video)
  const codes = codesOf(error)
  if (codes.includes('forbidden_address')) return forbidden('This address is not on the public internet.')
  if (codes.includes('TimeoutError')) return failed('The file did not arrive within five minutes.', error)
  // The disk of this machine.
  if (codes.some((code) => code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS')) return error
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN')) return failed('The host was not found.', error)
  return failed('The server did not respond, or the connection broke.', error)
}

/** The last part of a path, as the name of a file. */
function nameIn(url: string) {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

async function fetchTo(folder: string, deps: ImportDeps, caller: Member, url: string) {
  const { dispatcher } = deps
  const get = boundedFetch(dispatcher, { timeoutMs: IMPORT_MS, maxBytes: () => limits.bytes.video })
  try {
    const response = await get(url)
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel()
      throw failed(
        response.status >= 300 && response.status < 400
          ? 'The address redirects to another one. Give that one.'
          : `The server responded with status ${response.status}.`,
      )
    }
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
    return await receive(body, folder, (bytes) => assertRoom(deps, caller, bytes))
  } catch (error) {
    throw problemOf(error)
  }
}

/** Fetches a file from an address that a user gave, and keeps it like an upload. */
export async function importMedia(deps: ImportDeps, caller: Member, { url, ...fields }: Static<typeof ImportMedia>) {
  const refused = refusedUrl(url, deps.urlRules)
  if (refused) throw forbidden(refused)
  return inTemporaryFolder(deps.config, async (folder) =>
    keepReceived(deps, caller, await fetchTo(folder, deps, caller, url), { ...fields, sent_name: nameIn(url) }),
  )
}
