import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { createAbortSignals } from '../../../lib/http/abort-signals.ts'
import { editor } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { BrandFields } from '../../workspaces/brand/brand.schema.ts'
import { BrandPrompt } from '../generate.schema.ts'
import { LEFT, MARGIN_MS, STOPPED } from '../generate.ts'
import { TEXT_MS } from '../texts.ts'
import { suggestBrand } from './suggest-brand.ts'

export function brandSuggestionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Generation')
  const { signalsOf } = createAbortSignals(app, deps, { left: LEFT, stopped: STOPPED })

  route.post('/workspace/brand/suggest', {
    operationId: 'suggestBrand',
    summary: 'Suggest the brand',
    description:
      'Fills in what the brand lacks from the last 30 published posts, for a person to correct. Saves nothing. Costs 1 AI credit, which is returned if the generation fails.',
    access: editor({ scope: 'ai:write' }),
    body: BrandPrompt,
    response: { 200: BrandFields },
    ownTransactions: true,
    leaseMs: TEXT_MS + MARGIN_MS,
    handler: ({ deps, caller, body, complete, request, reply }) =>
      suggestBrand(deps, caller, body, { complete, signals: signalsOf(request, reply) }),
  })
}
