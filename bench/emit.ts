import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { atLeast, type Claim, compareWithBaseline } from './harness.ts'
import { load } from './http.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const WEBHOOKS = 3
const CONNECTIONS = 16

/** Compares creating posts in a workspace with three matching webhooks with creating them in one without webhooks. */
export const claim: Claim = {
  name: 'emit',
  target: atLeast(0.8),
  measure: async (bench) => {
    const connection = await startPostgres()
    const tokens = await createWorkspaces(connection)
    // A node with the role api sends no deliveries, so that only creating them is measured.
    const { url } = await startMeydan(serverSettings(connection))
    const create = (token: string) => (seconds: number) =>
      load(url, ['/api/v1/public/posts'], {
        connections: CONNECTIONS,
        seconds,
        headers: { authorization: `Bearer ${token}` },
        body: { content: 'x'.repeat(600) },
      })
    return compareWithBaseline(bench, {
      unit: 'posts/s',
      rounds: 16,
      seconds: 3,
      value: create(tokens.withWebhooks),
      baseline: create(tokens.withoutWebhooks),
    })
  },
}

/** Returns a token for a workspace with webhooks, and one for a workspace without. */
const createWorkspaces = (connection: ConnectionConfig) =>
  withDeps(connection, async (deps) => {
    const first = await createOwner(deps)
    const second = { ...first, workspace_id: (await createWorkspace(deps.db, first, { name: 'No webhooks' })).id }
    for (let number = 1; number <= WEBHOOKS; number++)
      await createWebhook(deps, first, { url: `https://example.com/${number}`, events: ['post.created'] })
    const input = { name: 'bench', scopes: ['posts:write'] }
    return {
      withWebhooks: (await createToken(deps, first, input)).token,
      withoutWebhooks: (await createToken(deps, second, input)).token,
    }
  })
