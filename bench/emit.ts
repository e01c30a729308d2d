import type { ConnectionConfig } from '../server/lib/database.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../server/modules/workspaces/workspaces.ts'
import { type Claim, load, sideBySide, startPostgres, startServer } from './harness.ts'
import { inMeydan, newOwner, serverSettings } from './meydan.ts'

const WANTED = 0.8
const WEBHOOKS = 3
const CONNECTIONS = 16

/** What webhooks cost whoever causes an event: posts created where three of them match, against where there is none. */
export const claim: Claim = {
  name: 'emit',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio }) => ratio >= WANTED,
  measure: async ({ quick, say }) => {
    const connection = await startPostgres()
    const tokens = await twoWorkspaces(connection)
    // Of this role, so that nothing is sent.
    const { url } = await startServer(new URL('../server/cli.ts', import.meta.url), serverSettings(connection), [
      'serve',
    ])
    const create = (token: string) => (seconds: number) =>
      load(url, ['/api/v1/public/posts'], {
        connections: CONNECTIONS,
        seconds,
        headers: { authorization: `Bearer ${token}` },
        body: { content: 'x'.repeat(600) },
      })
    const measured = await sideBySide({
      rounds: quick ? 4 : 16,
      seconds: quick ? 1 : 3,
      value: create(tokens.withWebhooks),
      floor: create(tokens.without),
      say,
    })
    return { ...measured, unit: 'posts/s' }
  },
}

/** A token for a workspace with webhooks, and one for a workspace without. */
const twoWorkspaces = (connection: ConnectionConfig) =>
  inMeydan(connection, async (deps) => {
    const first = await newOwner(deps)
    const second = { ...first, workspace_id: (await createWorkspace(deps.db, first, { name: 'Silent' })).id }
    for (let number = 1; number <= WEBHOOKS; number++)
      await createWebhook(deps, first, { url: `https://example.com/${number}`, events: ['post.created'] })
    const input = { name: 'bench', scopes: ['posts:write'] }
    return {
      withWebhooks: (await createToken(deps, first, input)).token,
      without: (await createToken(deps, second, input)).token,
    }
  })
