import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { anyone, instanceAdmin } from '../../lib/http/access.ts'
import { isKnown } from '../../lib/http/etag.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed } from '../../lib/http/schema/schema.ts'
import { compileSerializer } from '../../lib/http/schema/validation.ts'
import { NewPlan, Plan, PlanChanges, PlanOrder, PlanParams, PriceList } from './plans.schema.ts'
import { archivePlan, changePlan, createPlan, listPlans, orderPlans, priceList, readPlan } from './plans.ts'

/** `offersTrials`: whether the payment provider has trials. */
export function planRoutes(app: FastifyInstance, deps: Deps, offersTrials: (deps: Deps) => Promise<boolean>) {
  const route = routes(app, deps, 'Plans')
  const write = compileSerializer(PriceList)
  const prices = priceList(deps, () => offersTrials(deps), write)

  route.get('/plans', {
    operationId: 'listPublicPlans',
    summary: 'List public plans',
    description:
      'Returns the plans on the price list, by position. `trial_days` is null for all where the payment provider has no trials. With `If-None-Match` the response is 304 if nothing has changed.',
    access: anyone(),
    response: { 200: PriceList },
    handler: async ({ request, reply }) => {
      const list = await prices()
      if (!list) throw new Error('the price list could not be loaded')
      reply.header('cache-control', 'no-cache').header('etag', list.etag)
      if (isKnown(request, list.etag)) reply.code(304).send()
      else reply.type('application/json; charset=utf-8').send(list.text)
      return undefined as never
    },
  })
  route.get('/admin/plans', {
    operationId: 'listPlans',
    summary: 'List plans',
    description: 'Returns all plans by position, including archived ones.',
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
    summary: 'Reorder plans',
    description: 'Sets the position of every plan by the order of their codes.',
    access: instanceAdmin(),
    body: PlanOrder,
    response: { 200: Page(Plan) },
    handler: ({ deps, caller, body }) => orderPlans(deps, caller, body),
  })
  route.get('/admin/plans/:code', {
    operationId: 'readPlan',
    summary: 'Retrieve a plan',
    access: instanceAdmin(),
    params: PlanParams,
    response: { 200: Plan },
    handler: ({ db, params }) => readPlan(db, params.code),
  })
  route.patch('/admin/plans/:code', {
    operationId: 'changePlan',
    summary: 'Update a plan',
    description:
      'Applies immediately to every workspace on the plan. A workspace above a lowered limit keeps what it has and cannot add more. `prices`, `limits` and `metadata` are replaced as a whole.',
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
      'Archived plans are not available to new workspaces; workspaces on the plan keep it. The plan in the option `billing.default_plan` cannot be archived.',
    access: instanceAdmin(),
    params: PlanParams,
    response: { 200: Plan },
    handler: ({ deps, caller, params }) => archivePlan(deps, caller, params.code),
  })
}
