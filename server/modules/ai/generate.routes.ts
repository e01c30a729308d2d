import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../errors.ts'
import { author, user, viewer } from '../../lib/access.ts'
import { eventStream } from '../../lib/event-stream.ts'
import { Page, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { IdParams } from '../../lib/schema.ts'
import { openFile } from './files.ts'
import {
  GeneratedImages,
  GeneratedText,
  Generation,
  GenerationQuery,
  ImagePrompt,
  TextPrompt,
  VideoPrompt,
} from './generate.schema.ts'
import { generateImages, generateText, IMAGE_MS, LEFT, STOPPED, streamText, TEXT_MS } from './generate.ts'
import { cancelGeneration, listGenerations, readGeneration } from './generations.ts'
import { generateVideo } from './videos.ts'

/** What is under way when Meydan stops gets this long to end by itself, of the time that requests have. */
const GRACE_MS = 1000
/** What a call takes before the vendor is asked and after it has answered. */
const MARGIN_MS = 30_000

export function generationRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Generation')

  const stop = new AbortController()
  let stopping: NodeJS.Timeout | undefined
  app.addHook('preClose', (done) => {
    stopping = setTimeout(() => stop.abort(STOPPED), GRACE_MS)
    done()
  })
  app.addHook('onClose', (_, done) => {
    clearTimeout(stopping)
    done()
  })

  /**
   * What ends the call of a vendor early: the stop of this node, and a client that goes away. One that came with an
   * Idempotency-Key may ask for the answer again: for that one it is finished.
   */
  const ends = ({ headers }: FastifyRequest, { raw }: FastifyReply) => {
    if (headers['idempotency-key'] !== undefined) return [stop.signal]
    const left = new AbortController()
    raw.once('close', () => raw.writableFinished || left.abort(LEFT))
    if (raw.destroyed) left.abort(LEFT)
    return [stop.signal, left.signal]
  }

  route.post('/ai/generate/text', {
    operationId: 'generateText',
    summary: 'Write a text',
    description:
      'Takes 1 AI credit. With `Accept: text/event-stream` it is told as it is written: events `delta` {text}, then `done` with everything else that the answer has, or `error` {code, detail, retry_after_s}. Such an answer cannot be repeated, and takes no Idempotency-Key. A client that hangs up breaks the call off, unless it came with an Idempotency-Key. What fails gives its credits back, and so does what was broken off before its first delta.',
    access: author({ scope: 'ai:write' }),
    body: TextPrompt,
    response: { 200: GeneratedText },
    also: { 'text/event-stream': 'The events, in the order in which they come' },
    ownTransactions: true,
    leaseMs: TEXT_MS + MARGIN_MS,
    handler: async ({ deps, caller, body, complete, request, reply }) => {
      const signals = ends(request, reply)
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? ''))
        return generateText(deps, caller, body, { complete, signals })
      if (request.headers['idempotency-key'] !== undefined)
        throw invalid(
          '/Idempotency-Key',
          'An answer that is streamed cannot be repeated. Leave one of both headers out.',
        )
      const events = await streamText(deps, caller, body, signals)
      // Its headers went out before the stop, and did not say that the connection ends.
      reply.raw.once('finish', () => stopping && request.raw.socket.destroySoon())
      // nginx would keep the events until there are enough of them.
      reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8')
      return reply.send(eventStream(events)) as never
    },
  })
  route.post('/ai/generate/image', {
    operationId: 'generateImage',
    summary: 'Make one or more images',
    description:
      'Takes 5 AI credits for each image that was made. It can take two minutes. The files are kept for 7 days.',
    access: author({ scope: 'ai:write' }),
    body: ImagePrompt,
    response: { 200: GeneratedImages },
    ownTransactions: true,
    leaseMs: IMAGE_MS + MARGIN_MS,
    handler: ({ deps, caller, body, complete, request, reply }) => {
      request.raw.socket.setTimeout(IMAGE_MS + MARGIN_MS)
      return generateImages(deps, caller, body, { complete, signals: ends(request, reply) })
    },
  })
  route.post('/ai/generate/video', {
    operationId: 'generateVideo',
    summary: 'Begin to make a video',
    description:
      'Takes 20 AI credits, which are given back when it fails or is canceled. GET /ai/generations/{id} tells how far it is; a video takes minutes.',
    access: author({ scope: 'ai:write' }),
    body: VideoPrompt,
    response: { 202: Generation },
    handler: ({ deps, caller, body }) => generateVideo(deps, caller, body),
  })
  route.get('/ai/generations', {
    operationId: 'listGenerations',
    summary: 'List what was and is being generated, newest first',
    access: viewer({ scope: 'ai:read' }),
    query: GenerationQuery,
    response: { 200: Page(Generation) },
    handler: ({ deps, caller, query }) => page(listGenerations(deps, caller, query), 'ai_generation.id', query),
  })
  route.get('/ai/generations/:id', {
    operationId: 'readGeneration',
    summary: 'Read one generation',
    access: viewer({ scope: 'ai:read' }),
    params: IdParams,
    response: { 200: Generation },
    handler: ({ deps, caller, params }) => readGeneration(deps, caller, params.id),
  })
  route.post('/ai/generations/:id/cancel', {
    operationId: 'cancelGeneration',
    summary: 'Stop a generation that is under way',
    description:
      'It takes no credits then, unless it is a text of which a part was told already. One that was canceled before answers the same again.',
    access: author({ scope: 'ai:write' }),
    params: IdParams,
    response: { 200: Generation },
    handler: ({ deps, caller, params }) => cancelGeneration(deps, caller, params.id),
  })
  route.get('/ai/files/:id', {
    operationId: 'readGeneratedFile',
    summary: 'Fetch an image or a video that was generated',
    description: 'Of any workspace that you belong to: the address alone is enough. Files are kept for 7 days.',
    access: user({ scope: 'ai:read' }),
    params: IdParams,
    response: { 200: Type.Unsafe<never>({ title: undefined }) },
    instead: { 'image/*': 'An image', 'video/*': 'A video' },
    handler: async ({ deps, caller, params, reply }) => {
      const file = await openFile(deps, caller, params.id)
      reply
        .type(file.mime)
        .header('content-length', file.size)
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
      return reply.send(file.read()) as never
    },
  })
}
