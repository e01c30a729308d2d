import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../lib/deps.ts'
import { admin, instanceAdmin } from '../../../lib/http/access.ts'
import { testLimit } from '../../../lib/http/limits/test-limit.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, NoContent } from '../../../lib/http/schema/schema.ts'
import { languageOf } from '../../../lib/language.ts'
import { NetworksQuery } from '../networks.schema.ts'
import { AppParams, NetworkApp, NetworkAppInput, NetworkAppTest, WorkspaceNetworkApp } from './apps.schema.ts'
import { deleteApp, listApps, listAppsOfWorkspace, readApp, readAppOfWorkspace, setApp } from './manage-apps.ts'
import { testNetworkApp } from './test-app.ts'

const language = ({ locale = 'en' }: { locale?: string }) => languageOf(locale)

export function networkAppRoutes(app: FastifyInstance, deps: Deps) {
  const countTest = testLimit('network-app-test', deps.clock)
  instanceRoutes(app, deps, countTest)
  workspaceRoutes(app, deps, countTest)
}

type CountTest = ReturnType<typeof testLimit>

const ofInstance = ({ network }: { network: string }) => ({ network, workspace_id: null })

function instanceRoutes(app: FastifyInstance, deps: Deps, countTest: CountTest) {
  const route = routes(app, deps, 'Network apps')

  route.get('/admin/network-apps', {
    operationId: 'listNetworkApps',
    summary: 'List network apps',
    description: 'Returns all networks at which accounts sign in, each with its app and the steps to register one.',
    access: instanceAdmin(),
    query: NetworksQuery,
    response: { 200: Type.Object({ data: Type.Array(NetworkApp, { maxItems: 100 }) }) },
    handler: async ({ deps, query }) => ({ data: await listApps(deps, { workspace_id: null }, language(query)) }),
  })
  route.get('/admin/network-apps/:network', {
    operationId: 'readNetworkApp',
    summary: 'Retrieve a network app',
    access: instanceAdmin(),
    params: AppParams,
    query: NetworksQuery,
    response: { 200: NetworkApp },
    handler: ({ deps, params, query }) => readApp(deps, ofInstance(params), language(query)),
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
    handler: async ({ deps, caller, params, query, body, ifMatch }) => {
      await setApp(deps, caller, ofInstance(params), body, ifMatch)
      return readApp(deps, ofInstance(params), language(query))
    },
  })
  route.delete('/admin/network-apps/:network', {
    operationId: 'deleteNetworkApp',
    summary: 'Delete a network app',
    description: 'Members can no longer connect accounts. Connected ones publish until their tokens end.',
    access: instanceAdmin(),
    params: AppParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteApp(deps, caller, ofInstance(params)),
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
      return testNetworkApp(deps, ofInstance(params))
    },
  })
}

/** Apps decide where members sign in, so no token sets them. */
const workspaceAdmin = () => admin({ token: false })

function workspaceRoutes(app: FastifyInstance, deps: Deps, countTest: CountTest) {
  const route = routes(app, deps, 'Network apps')

  route.get('/workspace/network-apps', {
    operationId: 'listWorkspaceNetworkApps',
    summary: 'List network apps of the workspace',
    description:
      'Returns all networks at which accounts sign in, each with the own app of the workspace and the steps to register one. Without an own app, members sign in with that of the instance.',
    access: workspaceAdmin(),
    query: NetworksQuery,
    response: { 200: Type.Object({ data: Type.Array(WorkspaceNetworkApp, { maxItems: 100 }) }) },
    handler: async ({ deps, caller, query }) => ({ data: await listAppsOfWorkspace(deps, caller, language(query)) }),
  })
  route.get('/workspace/network-apps/:network', {
    operationId: 'readWorkspaceNetworkApp',
    summary: 'Retrieve a network app of the workspace',
    access: workspaceAdmin(),
    params: AppParams,
    query: NetworksQuery,
    response: { 200: WorkspaceNetworkApp },
    handler: ({ deps, caller, params, query }) => readAppOfWorkspace(deps, caller, params.network, language(query)),
  })
  route.put('/workspace/network-apps/:network', {
    operationId: 'setWorkspaceNetworkApp',
    summary: 'Set up a network app of the workspace',
    description:
      'Stores id and secret of the app that you registered at the network. After that, members connect accounts with it, and not with the app of the instance. Connected accounts stay with the app that they signed in with.',
    access: workspaceAdmin(),
    params: AppParams,
    query: NetworksQuery,
    body: NetworkAppInput,
    response: { 200: WorkspaceNetworkApp },
    handler: async ({ deps, caller, params: { network }, query, body, ifMatch }) => {
      await setApp(deps, caller, { network, workspace_id: caller.workspace_id }, body, ifMatch)
      return readAppOfWorkspace(deps, caller, network, language(query))
    },
  })
  route.delete('/workspace/network-apps/:network', {
    operationId: 'deleteWorkspaceNetworkApp',
    summary: 'Delete a network app of the workspace',
    description:
      'Members connect accounts with the app of the instance again, if it has one. Accounts that signed in with the deleted app publish until their tokens end.',
    access: workspaceAdmin(),
    params: AppParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params: { network } }) =>
      deleteApp(deps, caller, { network, workspace_id: caller.workspace_id }),
  })
  route.post('/workspace/network-apps/:network/test', {
    operationId: 'testWorkspaceNetworkApp',
    summary: 'Test a network app of the workspace',
    description:
      'Asks the network whether it accepts id and secret of the own app. The redirect address is tested by connecting an account. At most 5 tests a minute.',
    access: workspaceAdmin(),
    params: AppParams,
    body: Closed({}),
    response: { 200: NetworkAppTest },
    ownTransactions: true,
    handler: ({ deps, caller, params: { network }, reply }) => {
      countTest(caller, reply)
      return testNetworkApp(deps, { network, workspace_id: caller.workspace_id })
    },
  })
}
