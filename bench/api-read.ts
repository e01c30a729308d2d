import type { ConnectionConfig } from '../server/lib/database.ts'
import { connectAccount } from '../server/modules/accounts/accounts.ts'
import { createPost, selectPost } from '../server/modules/posts/posts.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { type Claim, load, sideBySide, startPostgres, startServer } from './harness.ts'
import { inMeydan, newOwner, serverSettings } from './meydan.ts'

const WANTED = 0.65
const POSTS = 1000
const CONNECTIONS = 32

/**
 * Reading a post with a token, through everything that Meydan puts around it, against a bare Fastify route that sends
 * the same SQL with bare pg.
 */
export const claim: Claim = {
  name: 'api-read',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio }) => ratio >= WANTED,
  measure: async ({ quick, say }) => {
    const connection = await startPostgres()
    say(`writing ${POSTS} posts`)
    const { workspace_id, token, ids, statement, poolSize } = await fill(connection)

    const meydan = await startServer(new URL('../server/cli.ts', import.meta.url), serverSettings(connection), [
      'serve',
    ])
    const bare = await startServer(new URL('floors/api-read.ts', import.meta.url), {
      FLOOR: JSON.stringify({ connection, poolSize, statement, workspace_id }),
    })

    const read = (url: string, path: string) => (seconds: number) =>
      load(
        url,
        ids.map((id) => `${path}/${id}`),
        { connections: CONNECTIONS, seconds, headers: { authorization: `Bearer ${token}` } },
      )
    const measured = await sideBySide({
      rounds: quick ? 4 : 20,
      seconds: quick ? 1 : 2,
      value: read(meydan.url, '/api/v1/public/posts'),
      floor: read(bare.url, '/posts'),
      say,
    })
    return { ...measured, unit: 'requests/s' }
  },
}

/** A workspace with scheduled posts, each for two accounts, and a token that reads them. */
const fill = (connection: ConnectionConfig) =>
  inMeydan(connection, async (deps) => {
    const caller = await newOwner(deps)
    const account_ids: string[] = []
    for (const name of ['one', 'two'])
      account_ids.push((await connectAccount(deps, caller, { network: 'playground', name })).id)
    const scheduled_at = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()
    const posts = await Promise.all(
      Array.from({ length: POSTS }, (_, index) =>
        createPost(deps, caller, {
          content: `The post number ${index}, as long as posts are.`,
          account_ids,
          scheduled_at,
        }),
      ),
    )
    const { token } = await createToken(deps, caller, { name: 'bench', scopes: ['posts:read'] })
    await deps.pool.query('vacuum analyze')
    return {
      workspace_id: caller.workspace_id,
      token,
      ids: posts.map(({ id }) => id),
      // Taken from the server, so that both sides always send the same statement.
      statement: selectPost(deps.db, { id: '', workspace_id: '' }).compile().sql,
      poolSize: deps.pool.options.max,
    }
  })
