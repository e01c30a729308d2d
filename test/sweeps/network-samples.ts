import { expectStatus, withWorkspace } from '../factories.ts'
import { pendingChoice, setUpApp, startedConnection } from '../network-accounts.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const NETWORK = 'linkedin'

/** The app of the network, at a stand-in that closes with the fixture. */
async function setUp({ t, closeLater }: Fixture, network = NETWORK) {
  const server = await linkedinServer()
  closeLater(server.close)
  Object.assign(t.deps.config.NETWORK_ORIGINS, { [NETWORK]: server.url })
  await setUpApp(t, network, server.oauth)
}

const app: Make = async (fixture) => {
  await setUp(fixture)
  return { id: NETWORK }
}

const credentials = { client_id: 'id-of-the-app', client_secret: 'secret-of-the-app' }

/** The app of the workspace itself. */
const ownApp =
  (network = NETWORK): Make =>
  async (fixture) => {
    await setUp(fixture, network)
    expectStatus(await fixture.owner.put(`/api/v1/workspace/network-apps/${network}`, credentials), 200)
    return { id: network }
  }

export const networkResources: Record<string, Make> = {
  'network-apps': app,
  connections: async (fixture) => {
    await setUp(fixture)
    const { id } = await startedConnection(fixture.owner, NETWORK)
    await pendingChoice(fixture.t, id)
    return { id }
  },
}

export const networkSamples: Record<string, Make> = {
  'PUT /admin/network-apps/:network': async (fixture) => {
    await setUp(fixture)
    return { id: NETWORK, body: credentials }
  },
  'GET /workspace/network-apps/:network': ownApp(),
  'PUT /workspace/network-apps/:network': async (fixture) => ({ ...(await ownApp()(fixture)), body: credentials }),
  'POST /workspace/network-apps/:network/test': ownApp(),
  // Other samples use the app of the other network.
  'DELETE /admin/network-apps/:network': async (fixture) => {
    await setUp(fixture, 'linkedin_page')
    return { id: 'linkedin_page' }
  },
  'DELETE /workspace/network-apps/:network': ownApp('linkedin_page'),
  // Only an instance with a public address has such clients.
  'GET /accounts/oauth/clients/:server': async (fixture) => {
    const t = await fixture.another({ BASE_URL: 'https://meydan.test' })
    const owner = await withWorkspace(t)
    const server = await blueskyServer({
      fetchClient: async (client_id) => {
        const { status, headers, body } = await owner.get(new URL(client_id).pathname)
        return { status, type: headers.get('content-type') ?? '', body }
      },
    })
    fixture.closeLater(server.close)
    for (const key of ['bluesky.directory', 'bluesky.handles']) t.deps.config.NETWORK_ORIGINS[key] = server.url
    const { handle } = server.addAccount()
    server.signIn.named = server.didOf(handle)
    const { body } = expectStatus(
      await owner.post('/api/v1/accounts/connections', { network: 'bluesky', instance: handle }),
      201,
    )
    const client = new URL(new URL(body.authorize_url).searchParams.get('client_id') ?? '')
    return { t, who: t.anyone, id: client.pathname.split('/').at(-1) ?? '' }
  },
  'POST /accounts/connections': async (fixture) => {
    await setUp(fixture)
    return { body: { network: NETWORK } }
  },
  'POST /accounts/connections/:id/choose': async (fixture) => {
    await setUp(fixture)
    const { id } = await startedConnection(fixture.owner, NETWORK)
    const external_id = await pendingChoice(fixture.t, id)
    return { id, body: { external_ids: [external_id] } }
  },
}
