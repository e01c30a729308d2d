import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin, user } from '../../lib/access.ts'
import { Page, PageQuery } from '../../lib/page.ts'
import { rateLimit } from '../../lib/rate-limit.ts'
import { routes } from '../../lib/route.ts'
import { Closed, NoContent } from '../../lib/schema.ts'
import {
  ActiveAiModel,
  ActiveFilters,
  AiModel,
  AiModelChanges,
  AiModelKey,
  AiModelParams,
  AiModelTest,
  AiModelTestInput,
  aiModelFilters,
  NewAiModel,
} from './models.schema.ts'
import { changeModel, createModel, deleteModel, listActiveModels, listModels, readModel, setKey } from './models.ts'
import { testModel } from './testing.ts'

const TESTS_A_MINUTE = 5

export function aiModelRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'AI models')
  const tests = rateLimit('ai-model-test', TESTS_A_MINUTE, deps.clock)

  route.get('/ai-models', {
    operationId: 'listAiModels',
    summary: 'List all AI models, newest first',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...aiModelFilters }),
    response: { 200: Page(AiModel) },
    handler: ({ db, query }) => listModels(db, query),
  })
  route.get('/ai-models/active', {
    operationId: 'listActiveAiModels',
    summary: 'List the AI models that can be generated with, newest first',
    access: user({ scope: 'ai:read' }),
    query: Closed({ ...PageQuery, ...ActiveFilters }),
    response: { 200: Page(ActiveAiModel) },
    handler: ({ db, query }) => listActiveModels(db, query),
  })
  route.get('/ai-models/:id', {
    operationId: 'readAiModel',
    summary: 'Read one AI model',
    access: instanceAdmin(),
    params: AiModelParams,
    response: { 200: AiModel },
    handler: ({ db, params }) => readModel(db, params.id),
  })
  route.post('/ai-models', {
    operationId: 'createAiModel',
    summary: 'Create an AI model',
    description: 'Its key is set by a call of its own.',
    access: instanceAdmin(),
    body: NewAiModel,
    response: { 201: AiModel },
    handler: ({ deps, caller, body }) => createModel(deps, caller, body),
  })
  route.put('/ai-models/:id', {
    operationId: 'changeAiModel',
    summary: 'Change an AI model',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelChanges,
    response: { 200: AiModel },
    handler: ({ deps, caller, params, body, ifMatch }) => changeModel(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/ai-models/:id', {
    operationId: 'deleteAiModel',
    summary: 'Delete an AI model and its key',
    access: instanceAdmin(),
    params: AiModelParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteModel(deps, caller, params.id),
  })
  route.put('/ai-models/:id/api-key', {
    operationId: 'setAiModelKey',
    summary: 'Set or remove the key of one AI model',
    description:
      'Without a key of its own, a model is called with the global one of its vendor, when that is the default vendor.',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelKey,
    response: { 204: NoContent },
    handler: ({ deps, caller, params, body }) => setKey(deps, caller, params.id, body.api_key),
  })
  route.post('/options/test/ai-model/:id', {
    operationId: 'testAiModel',
    summary: 'Ask an AI model something at once, and tell what came of it',
    description:
      'One call to the vendor, without another try: a few tokens for text, the smallest image, and for video only whether the key is taken. A vendor that refuses or does not answer is told in the answer. At most 5 a minute.',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelTestInput,
    response: { 200: AiModelTest },
    ownTransactions: true,
    handler: async ({ deps, caller, params, body, complete, reply }) => {
      const count = tests?.(caller.user_id)
      if (count) reply.headers(count.headers)
      if (count?.exceeded) throw count.exceeded
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      return testModel(deps, caller, params.id, body.prompt, gone.signal, complete)
    },
  })
}
