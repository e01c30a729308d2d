import { expectStatus } from '../factories.ts'
import { pendingChoice, startedConnection } from '../network-accounts.ts'
import { headersOf } from './agent-recipes.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

const network = 'linkedin'
const body = { client_id: 'id-of-the-app', client_secret: 'secret-of-the-app' }

const setUp = async ({ admin }: RecipeContext) =>
  expectStatus(await admin.put(`/api/v1/admin/network-apps/${network}`, body), 200)

const onApp =
  (more: object = {}): Recipe =>
  async (context) => {
    await setUp(context)
    return { path: { network }, ...more }
  }

const onOwnApp =
  (more: object = {}): Recipe =>
  async (context) => {
    const { client, headers } = asOwner(context)
    expectStatus(await client.with(headers).put(`/api/v1/workspace/network-apps/${network}`, body), 200)
    return { path: { network }, headers, ...more }
  }

type Credentials = 'session' | 'token'

async function started(context: RecipeContext, credentials: Credentials) {
  await setUp(context)
  const headers = headersOf(context, credentials)
  const { client } = asOwner(context)
  return { headers, ...(await startedConnection(client.with(asOwner(context).headers), network)) }
}

const starting =
  (credentials: Credentials): Recipe =>
  async (context) => {
    await setUp(context)
    return { headers: headersOf(context, credentials), body: { network } }
  }

const reading =
  (credentials: Credentials): Recipe =>
  async (context) => {
    const { headers, id } = await started(context, credentials)
    return { headers, path: { id } }
  }

const choosing =
  (credentials: Credentials): Recipe =>
  async (context) => {
    const { headers, id } = await started(context, credentials)
    return { headers, path: { id }, body: { external_ids: [await pendingChoice(context.t, id)] } }
  }

export const networkRecipes: Record<string, Recipe> = {
  returnFromServer: async () => ({ path: { server: 'A'.repeat(22) } }),
  readNetworkApp: onApp(),
  setNetworkApp: onApp({ body }),
  deleteNetworkApp: onApp(),
  readWorkspaceNetworkApp: onOwnApp(),
  setWorkspaceNetworkApp: onOwnApp({ body }),
  deleteWorkspaceNetworkApp: onOwnApp(),
  testWorkspaceNetworkApp: onOwnApp({ body: {} }),
  startConnection: starting('session'),
  publicStartConnection: starting('token'),
  readConnection: reading('session'),
  publicReadConnection: reading('token'),
  chooseAccounts: choosing('session'),
  publicChooseAccounts: choosing('token'),
  testNetworkApp: async (context) => {
    await setUp(context)
    const { headers } = await context.callers.newUser({ instanceAdmin: true })
    return { headers, path: { network }, body: {} }
  },
}
