import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin, user } from '../../lib/http/access.ts'
import { testLimit } from '../../lib/http/limits/test-limit.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, NoContent } from '../../lib/http/schema/schema.ts'
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
} from './models/models.schema.ts'
import {
  changeModel,
  createModel,
  deleteModel,
  listActiveModels,
  listModels,
  readModel,
  setKey,
} from './models/models.ts'
import { testModel } from './providers/model-test.ts'

export function aiModelRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'AI models')
  const countTest = testLimit('ai-model-test', deps.clock)

  route.get('/ai-models', {
    operationId: 'listAiModels',
    summary: 'List AI models',
    description: 'Returns all models, newest first.',
    access: instanceAdmin(),
    query: Closed({ ...PageQuery, ...aiModelFilters }),
    response: { 200: Page(AiModel) },
    handler: ({ db, query }) => listModels(db, query),
  })
  route.get('/ai-models/active', {
    operationId: 'listActiveAiModels',
    summary: 'List active AI models',
    description: 'Returns the models that can be used to generate, newest first.',
    access: user({ scope: 'ai:read' }),
    query: Closed({ ...PageQuery, ...ActiveFilters }),
    response: { 200: Page(ActiveAiModel) },
    handler: ({ db, query }) => listActiveModels(db, query),
  })
  route.get('/ai-models/:id', {
    operationId: 'readAiModel',
    summary: 'Retrieve an AI model',
    access: instanceAdmin(),
    params: AiModelParams,
    response: { 200: AiModel },
    handler: ({ db, params }) => readModel(db, params.id),
  })
  route.post('/ai-models', {
    operationId: 'createAiModel',
    summary: 'Create an AI model',
    description: 'Set the API key of the model with `PUT /ai-models/{id}/api-key`.',
    access: instanceAdmin(),
    body: NewAiModel,
    response: { 201: AiModel },
    handler: ({ deps, caller, body }) => createModel(deps, caller, body),
  })
  route.put('/ai-models/:id', {
    operationId: 'changeAiModel',
    summary: 'Update an AI model',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelChanges,
    response: { 200: AiModel },
    handler: ({ deps, caller, params, body, ifMatch }) => changeModel(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/ai-models/:id', {
    operationId: 'deleteAiModel',
    summary: 'Delete an AI model',
    description: 'Deletes the model and its API key.',
    access: instanceAdmin(),
    params: AiModelParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteModel(deps, caller, params.id),
  })
  route.put('/ai-models/:id/api-key', {
    operationId: 'setAiModelKey',
    summary: 'Set or remove the API key of an AI model',
    description:
      'A model without an API key is called with the global key of its provider, if that is the default provider.',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelKey,
    response: { 204: NoContent },
    handler: ({ deps, caller, params, body }) => setKey(deps, caller, params.id, body.api_key),
  })
  route.post('/options/test/ai-model/:id', {
    operationId: 'testAiModel',
    summary: 'Test an AI model',
    description:
      'Calls the provider once, without retries: a short text, the smallest image, or for video only a check of the API key. If the provider rejects the call or does not respond, the response has `ok: false` and the reason. At most 5 tests a minute.',
    access: instanceAdmin(),
    params: AiModelParams,
    body: AiModelTestInput,
    response: { 200: AiModelTest },
    ownTransactions: true,
    handler: async ({ deps, caller, params, body, complete, reply }) => {
      countTest(caller, reply)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      return testModel(deps, caller, params.id, body.prompt, gone.signal, complete)
    },
  })
}
