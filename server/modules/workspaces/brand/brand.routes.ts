import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Brand, BrandFields } from './brand.schema.ts'
import { readBrand, saveBrand } from './brand.ts'

export function brandRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Workspaces')

  route.get('/workspace/brand', {
    operationId: 'readBrand',
    summary: 'Retrieve the brand',
    description: 'Returns what agents and the writing assistant know about the organization.',
    access: viewer({ scope: 'workspace:read' }),
    response: { 200: Brand },
    handler: ({ db, caller }) => readBrand(db, caller),
  })
  route.put('/workspace/brand', {
    operationId: 'saveBrand',
    summary: 'Replace the brand',
    description: 'Agents use it from their next run on.',
    access: editor({ scope: 'workspace:write' }),
    body: BrandFields,
    response: { 200: Brand },
    handler: ({ deps, caller, body, ifMatch }) => saveBrand(deps, caller, body, ifMatch),
  })
}
