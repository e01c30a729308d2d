import type { FastifyInstance } from 'fastify'
import { invalid } from '../../errors.ts'
import { Page, pageOfWorkspace } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { createAbortSignals } from '../../lib/http/abort-signals.ts'
import { author, user, viewer } from '../../lib/http/access.ts'
import { eventStream } from '../../lib/http/response/event-stream.ts'
import { FileResponse } from '../../lib/http/response/send-file.ts'
import { routes } from '../../lib/http/route.ts'
import { idParams } from '../../lib/http/schema/schema.ts'
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
import { LEFT, MARGIN_MS, STOPPED } from './generate.ts'
import { cancelGeneration, listGenerations, readGeneration } from './generations.ts'
import { generateImages, IMAGE_MS } from './images.ts'
import { generateText, streamText, TEXT_MS } from './texts.ts'
import { generateVideo } from './videos.ts'

export function generationRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Generation')

  const { signalsOf } = createAbortSignals(app, deps, { left: LEFT, stopped: STOPPED })

  route.post('/ai/generate/text', {
    operationId: 'generateText',
    summary: 'Generate a text',
    description:
      'Costs 1 AI credit. With `Accept: text/event-stream` the text is streamed: events `delta` {text}, then `done` with the other fields of the response, or `error` {code, detail, retry_after_s}. A stream cannot be replayed and does not accept an `Idempotency-Key`. If the client disconnects, the generation is canceled, unless the call has an `Idempotency-Key`. The credit is returned if the generation fails, but not if it is canceled.',
    access: author({ scope: 'ai:write' }),
    body: TextPrompt,
    response: { 200: GeneratedText },
    also: { 'text/event-stream': 'Stream of server-sent events.' },
    ownTransactions: true,
    leaseMs: TEXT_MS + MARGIN_MS,
    handler: async ({ deps, caller, body, complete, request, reply }) => {
      const signals = signalsOf(request, reply)
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? ''))
        return generateText(deps, caller, body, { complete, signals })
      if (request.headers['idempotency-key'] !== undefined)
        throw invalid(
          '/Idempotency-Key',
          'A streamed response cannot be replayed. Send either Idempotency-Key or Accept: text/event-stream.',
        )
      const events = await streamText(deps, caller, body, signals)
      // Keeps nginx from buffering the events.
      reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8')
      return reply.send(eventStream(events)) as never
    },
  })
  route.post('/ai/generate/image', {
    operationId: 'generateImage',
    summary: 'Generate images',
    description:
      'Costs 5 AI credits per generated image. The call can take two minutes. The files are kept for 7 days.',
    access: author({ scope: 'ai:write' }),
    body: ImagePrompt,
    response: { 200: GeneratedImages },
    ownTransactions: true,
    leaseMs: IMAGE_MS + MARGIN_MS,
    handler: ({ deps, caller, body, complete, request, reply }) => {
      request.raw.socket.setTimeout(IMAGE_MS + MARGIN_MS)
      return generateImages(deps, caller, body, { complete, signals: signalsOf(request, reply) })
    },
  })
  route.post('/ai/generate/video', {
    operationId: 'generateVideo',
    summary: 'Generate a video',
    description:
      'Starts the generation of a video, which takes minutes. `GET /ai/generations/{id}` returns its progress. Costs 20 AI credits, which are returned if the generation fails, or is canceled before the provider was called.',
    access: author({ scope: 'ai:write' }),
    body: VideoPrompt,
    response: { 202: Generation },
    handler: ({ deps, caller, body }) => generateVideo(deps, caller, body),
  })
  route.get('/ai/generations', {
    operationId: 'listGenerations',
    summary: 'List generations',
    description: 'Returns running and ended generations of the last 90 days, newest first.',
    access: viewer({ scope: 'ai:read' }),
    query: GenerationQuery,
    response: { 200: Page(Generation) },
    handler: ({ db, deps, caller, query }) =>
      pageOfWorkspace(listGenerations(deps, caller, query), 'ai_generation', caller.workspace_id, query, {
        db,
        columns: ['prompt'],
      }),
  })
  route.get('/ai/generations/:id', {
    operationId: 'readGeneration',
    summary: 'Retrieve a generation',
    access: viewer({ scope: 'ai:read' }),
    params: idParams('generation'),
    response: { 200: Generation },
    handler: ({ db, deps, caller, params }) => readGeneration(db, deps, caller, params.id),
  })
  route.post('/ai/generations/:id/cancel', {
    operationId: 'cancelGeneration',
    summary: 'Cancel a generation',
    description:
      'Stops a running generation. Its credits are returned only if the provider was not called yet, as happens with videos. Canceling a canceled generation changes nothing.',
    access: author({ scope: 'ai:write' }),
    params: idParams('generation'),
    response: { 200: Generation },
    handler: ({ deps, caller, params }) => cancelGeneration(deps, caller, params.id),
  })
  route.get('/ai/files/:id', {
    operationId: 'readGeneratedFile',
    summary: 'Download a generated file',
    description:
      'Returns a generated image or video of any workspace that you belong to. `X-Workspace-Id` is not needed. Files are kept for 7 days.',
    access: user({ scope: 'ai:read' }),
    params: idParams('file'),
    response: { 200: FileResponse },
    instead: { 'image/*': 'Generated image.', 'video/*': 'Generated video.' },
    handler: ({ deps, caller, params }) => openFile(deps, caller, params.id),
  })
}
