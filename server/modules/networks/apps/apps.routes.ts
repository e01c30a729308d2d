import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { instanceTestLimit } from '../../../lib/http/limits/instance-test-limit.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, NoContent } from '../../../lib/http/schema/schema.ts'
import { languageOf } from '../../../lib/language.ts'
import { NetworksQuery } from '../networks.schema.ts'
import { AppParams, NetworkApp, NetworkAppInput, NetworkAppTest } from './apps.schema.ts'
import { deleteApp, listApps, readApp, setApp } from './apps.ts'
import { testNetworkApp } from './test-app.ts'

export function networkAppRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Network apps')
  const countTest = instanceTestLimit('network-app-test', deps.clock)

  route.get('/admin/network-apps', {
    operationId: 'listNetworkApps',
    summary: 'List network apps',
    description: 'Returns all networks at which accounts sign in, each with its app and the steps to register one.',
    access: instanceAdmin(),
    query: NetworksQuery,
    response: { 200: Type.Object({ data: Type.Array(NetworkApp, { maxItems: 100 }) }) },
    handler: async ({ deps, query }) => ({ data: await listApps(deps, languageOf(query.locale ?? 'en')) }),
  })
  route.get('/admin/network-apps/:network', {
    operationId: 'readNetworkApp',
    summary: 'Retrieve a network app',
    access: instanceAdmin(),
    params: AppParams,
    query: NetworksQuery,
    response: { 200: NetworkApp },
    handler: ({ deps, params, query }) => readApp(deps, params.network, languageOf(query.locale ?? 'en')),
  })
  route.put('/admin/network-apps/:network', {
    operationId: 'setNetworkApp',
    summary: 'Set up a network app',
    description:
      'Stores id and secret of the app that you registered at the network. After that, members can connect accounts. Accounts that signed in with another app sign in again when their tokens end.',
    access: instanceAdmin(),
    params: AppParams,
    query: NetworksQuery,
    body: NetworkAppInput,
    response: { 200: NetworkApp },
    handler: ({ deps, caller, params, query, body, ifMatch }) =>
      setApp(deps, caller, params.network, body, ifMatch, languageOf(query.locale ?? 'en')),
  })
  route.delete('/admin/network-apps/:network', {
    operationId: 'deleteNetworkApp',
    summary: 'Delete a network app',
    description: 'Members can no longer connect accounts. Connected ones publish until their tokens end.',
    access: instanceAdmin(),
    params: AppParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteApp(deps, caller, params.network),
  })
  route.post('/admin/network-apps/:network/test', {
    operationId: 'testNetworkApp',
    summary: 'Test a network app',
    description:
      'Asks the network whether it accepts id and secret. The redirect address is tested by connecting an account. At most 5 tests a minute.',
    access: instanceAdmin(),
    params: AppParams,
    body: Closed({}),
    response: { 200: NetworkAppTest },
    ownTransactions: true,
    handler: ({ deps, caller, params, reply }) => {
      countTest(caller, reply)
      return testNetworkApp(deps, params.network)
    },
  })
}
