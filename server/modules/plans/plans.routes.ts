import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { anyone, instanceAdmin, viewer } from '../../lib/access.ts'
import { isKnown } from '../../lib/etag.ts'
import { Page, PageQuery } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed } from '../../lib/schema.ts'
import { NewPlan, Plan, PlanChanges, PlanOrder, PlanParams, PriceList, Usage } from './plans.schema.ts'
import { archivePlan, changePlan, createPlan, listPlans, orderPlans, priceList, readPlan } from './plans.ts'
import { readUsage } from './usage.ts'

export function planRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Plans')
  const write = fastJson(PriceList as never)
  const prices = priceList(deps, write)

  route.get('/plans', {
    operationId: 'listPublicPlans',
    summary: 'Read the price list',
    description: 'The plans on offer, by their position. With `If-None-Match` it is 304 while nothing has changed.',
    access: anyone(),
    response: { 200: PriceList },
    handler: async ({ request, reply }) => {
      const list = await prices()
      if (!list) throw new Error('there is no price list')
      reply.header('cache-control', 'no-cache').header('etag', list.etag)
      if (isKnown(request, list.etag)) reply.code(304).send()
      else reply.type('application/json; charset=utf-8').send(list.text)
      return undefined as never
    },
  })
  route.get('/admin/plans', {
    operationId: 'listPlans',
    summary: 'List all plans by their position, archived ones included',
    access: instanceAdmin(),
    query: Closed(PageQuery),
    response: { 200: Page(Plan) },
    handler: ({ db, query }) => listPlans(db, query),
  })
  route.post('/admin/plans', {
    operationId: 'createPlan',
    summary: 'Create a plan',
    access: instanceAdmin(),
    body: NewPlan,
    response: { 201: Plan },
    handler: ({ deps, caller, body }) => createPlan(deps, caller, body),
  })
  route.post('/admin/plans/order', {
    operationId: 'orderPlans',
    summary: 'Put all plans in an order',
    access: instanceAdmin(),
    body: PlanOrder,
    response: { 200: Page(Plan) },
    handler: ({ deps, caller, body }) => orderPlans(deps, caller, body),
  })
  route.get('/admin/plans/:code', {
    operationId: 'readPlan',
    summary: 'Read one plan',
    access: instanceAdmin(),
    params: PlanParams,
    response: { 200: Plan },
    handler: ({ db, params }) => readPlan(db, params.code),
  })
  route.patch('/admin/plans/:code', {
    operationId: 'changePlan',
    summary: 'Change a plan',
    description:
      'It counts at once for every workspace that lives by it. Whoever is over a lower limit keeps what is there and can add nothing. `prices`, `limits` and `metadata` are replaced whole.',
    access: instanceAdmin(),
    params: PlanParams,
    body: PlanChanges,
    response: { 200: Plan },
    handler: ({ deps, caller, params, body, ifMatch }) => changePlan(deps, caller, params.code, body, ifMatch),
  })
  route.post('/admin/plans/:code/archive', {
    operationId: 'archivePlan',
    summary: 'Archive a plan',
    description:
      'Nobody new gets it; workspaces that live by it keep it. The plan that the option `billing.default_plan` names cannot be archived.',
    access: instanceAdmin(),
    params: PlanParams,
    response: { 200: Plan },
    handler: ({ deps, caller, params }) => archivePlan(deps, caller, params.code),
  })
  route.get('/workspace/usage', {
    operationId: 'readUsage',
    summary: 'Read what the current workspace has used of its plan',
    access: viewer({ scope: 'workspace:read' }),
    response: { 200: Usage },
    handler: ({ deps, caller }) => readUsage(deps, caller),
  })
}
