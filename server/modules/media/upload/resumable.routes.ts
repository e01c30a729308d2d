import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import type { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ErrorCode, invalidTransition, Problem, problem } from '../../../errors.ts'
import { newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { createStopSignal } from '../../../lib/http/abort-signals.ts'
import { author, type Member } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idOf, idParams, NoContent, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { limits } from '../files/rules/upload-limits.ts'
import {
  beginUpload,
  cancelUpload,
  findUpload,
  finishUpload,
  readUpload,
  storedName,
  uploadStore,
} from './resumable.ts'

const OCTETS = 'application/offset+octet-stream'

const Chunk = Type.Unsafe<never>(
  Type.String({
    format: 'binary',
    maxLength: limits.bytes.video,
    description: 'Bytes of the file.',
    examples: ['(bytes)'],
  }),
)
const Bytes = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: limits.bytes.video, description, examples: [example] })

const ResumableUpload = Type.Object(
  {
    id: idOf('upload'),
    bytes: Bytes('Size of the file.', 482_113),
    offset: Bytes('Bytes that have arrived. Continue from here.', 300_000),
    media_id: nullable(idOf('media', 'Id of the file that the upload became. Null until it is complete.')),
    expires_at: Type.Unsafe<Date>({ ...Time, description: 'Time until which the upload must be complete.' }),
  },
  { title: 'ResumableUpload' },
)

/** Context of a call to the tus server: its caller and upload, then its error. */
type Call = { caller: Member; id: string; error?: unknown; media_id?: string }

/** Codes for the statuses of the tus server. */
const codes: Record<number, ErrorCode> = {
  404: 'not_found',
  409: 'invalid_transition',
  410: 'not_found',
  413: 'file_too_large',
  // An extension of the protocol that is not supported.
  501: 'malformed_request',
}

/** Registers resumable uploads by the tus protocol (https://tus.io), in a scope that accepts their content type. */
export async function resumableRoutes(app: FastifyInstance, deps: Deps) {
  app.addContentTypeParser(OCTETS, (_request, _payload, done) => done(null))
  const route = routes(app, deps, 'Media')
  const calls = new WeakMap<Request, Call>()
  const stopped = createStopSignal(app, deps, new Error('Meydan is stopping'))
  let server: Promise<Server> | undefined

  const callOf = (request: Request) => {
    const call = calls.get(request)
    if (!call) throw new Error('The call is unknown')
    return call
  }
  async function createServer() {
    const tus = await import('@tus/server')
    return new tus.Server({
      path: '/api/v1/media/uploads',
      datastore: await uploadStore(deps),
      maxSize: limits.bytes.video,
      namingFunction: (request) => storedName(callOf(request).id),
      getFileIdFromRequest: (request) => storedName(callOf(request).id),
      generateUrl: (request, { path }) =>
        `${new URL(request.url).pathname.replace(/\/$/, '') || path}/${callOf(request).id}`,
      onUploadCreate: async (request, { size, metadata = {} }) => {
        const { caller, id } = callOf(request)
        await beginUpload(deps, caller, { id, bytes: size, metadata })
        return {}
      },
      onUploadFinish: async (request) => {
        const call = callOf(request)
        const media_id = await finishUpload(deps, call.caller, call.id)
        return { headers: { 'Upload-Media-Id': media_id } }
      },
      onResponseError: (request, error) => {
        callOf(request).error = error
        return undefined
      },
    })
  }

  /** Lets the tus server respond, with problems in place of its errors. */
  async function passOn(request: FastifyRequest, reply: FastifyReply, call: Call) {
    const url = new URL(request.url, 'http://localhost')
    const forwarded = new Request(url, {
      method: request.method,
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
      ),
      body: ReadableStream.from(untilCut(request.raw, stopped)),
      duplex: 'half',
    })
    calls.set(forwarded, call)
    server ??= createServer()
    const response = await (await server).handleWeb(forwarded)
    if (response.status >= 400) throw await problemOf(response, call.error)
    for (const [name, value] of response.headers) if (/^(location|tus-|upload-)/.test(name)) reply.header(name, value)
    return reply.code(response.status).send()
  }

  route.post('/media/uploads', {
    operationId: 'beginUpload',
    summary: 'Begin a resumable upload',
    description:
      'Begins an upload by the [tus protocol](https://tus.io/protocols/resumable-upload) 1.0.0, which can be continued after an interruption. Send `Tus-Resumable: 1.0.0`, the size in `Upload-Length`, and in `Upload-Metadata` any of `filename`, `name`, `alt` and `labels` (separated by commas). `Location` of the response is the address of the upload, and `Upload-Expires` the time until which it must be complete. The body may have the first bytes.',
    access: author({ scope: 'media:write' }),
    form: Chunk,
    consumes: OCTETS,
    response: { 201: NoContent },
    ownTransactions: true,
    handler: async ({ caller, request, reply }) => {
      const id = await newId(deps.db)
      return (await passOn(request, reply, { caller, id })) as never
    },
  })
  route.get('/media/uploads/:id', {
    operationId: 'readUpload',
    summary: 'Retrieve a resumable upload',
    description:
      'Returns how many bytes have arrived. `HEAD` returns the same in `Upload-Offset` and `Upload-Length`. Only the user who began an upload can see it.',
    access: author({ scope: 'media:write' }),
    params: idParams('upload'),
    response: { 200: ResumableUpload },
    handler: async ({ caller, params, reply }) => {
      const upload = await readUpload(deps, caller, params.id)
      reply.headers({
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': upload.offset, 'upload-length': upload.bytes },
        ...(upload.media_id && { 'upload-media-id': upload.media_id }),
        'upload-expires': upload.expires_at.toUTCString(),
      })
      return upload
    },
  })
  route.patch('/media/uploads/:id', {
    operationId: 'continueUpload',
    summary: 'Continue a resumable upload',
    description:
      'Appends bytes at `Upload-Offset`. The response to the last ones has the id of the file in `Upload-Media-Id`; `GET /media/{id}` returns its record.',
    access: author({ scope: 'media:write' }),
    params: idParams('upload'),
    form: Chunk,
    consumes: OCTETS,
    response: { 204: NoContent },
    ownTransactions: true,
    handler: async ({ caller, params, request, reply }) => {
      const { media_id } = await findUpload(deps, caller, params.id)
      if (media_id) throw invalidTransition('complete', 'continue an upload')
      return (await passOn(request, reply, { caller, id: params.id })) as never
    },
  })
  route.delete('/media/uploads/:id', {
    operationId: 'cancelUpload',
    summary: 'Cancel a resumable upload',
    description: 'Erases what has arrived. The file of a complete upload stays.',
    access: author({ scope: 'media:write' }),
    params: idParams('upload'),
    response: { 204: NoContent },
    handler: async ({ caller, params, reply }) => {
      reply.header('tus-resumable', '1.0.0')
      await cancelUpload(deps, caller, params.id)
    },
  })
}

/** The bytes of a body until it ends, its connection is cut, or Meydan stops: what has arrived is kept. */
function untilCut(raw: IncomingMessage, stopped: AbortSignal) {
  const bytes = new PassThrough()
  const end = () => {
    raw.unpipe(bytes)
    bytes.end()
  }
  if (raw.readableEnded || raw.destroyed || stopped.aborted) return bytes.end()
  stopped.addEventListener('abort', end)
  bytes.once('close', () => stopped.removeEventListener('abort', end))
  raw.once('error', end)
  raw.once('close', end)
  return raw.pipe(bytes)
}

/** A problem of one of the functions above, or the refusal of the tus server. */
async function problemOf(response: Response, thrown: unknown) {
  if (thrown instanceof Problem) return thrown
  const { ERRORS } = await import('@tus/server')
  // The store does not pass the cause on. Bytes that were written before are kept.
  if (thrown === ERRORS.FILE_WRITE_ERROR)
    return problem('unavailable', { detail: 'The bytes could not be written, as when the disk for files is full.' })
  const { status } = response
  const detail = (await response.text()).trim()
  const code = codes[status] ?? (status < 500 ? 'malformed_request' : undefined)
  if (code) return problem(code, { detail, cause: thrown })
  return thrown instanceof Error ? thrown : new Error(detail)
}
