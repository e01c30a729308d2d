import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { selectPost } from '../server/modules/posts/record/select-posts.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { DAY } from '../shared/time.ts'
import { atLeast, type Claim, compareWithBaseline, createMany } from './harness.ts'
import { load } from './http.ts'
import { createOwner, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, startServer } from './processes.ts'

const POSTS = 1000
const CONNECTIONS = 32

/**
 * Compares reading a post with a token, including every check that Meydan makes, with a Fastify route that only sends
 * the same SQL with pg.
 */
export const claim: Claim = {
  name: 'api-read',
  target: atLeast(0.65),
  measure: async (bench) => {
    const connection = await startPostgres()
    bench.log(`creating ${POSTS} posts`)
    const { workspace_id, token, ids, statement, poolSize } = await fill(connection)

    const meydan = await startMeydan(serverSettings(connection))
    const bare = await startServer('baselines/api-read.ts', {
      BASELINE: JSON.stringify({ connection, poolSize, statement, workspace_id }),
    })

    const read = (url: string, path: string) => (seconds: number) =>
      load(
        url,
        ids.map((id) => `${path}/${id}`),
        { connections: CONNECTIONS, seconds, headers: { authorization: `Bearer ${token}` } },
      )
    return compareWithBaseline(bench, {
      unit: 'requests/s',
      rounds: 20,
      seconds: 2,
      value: read(meydan.url, '/api/v1/public/posts'),
      baseline: read(bare.url, '/posts'),
    })
  },
}

/** Creates a workspace with scheduled posts, each for two accounts, and a token that reads them. */
const fill = (connection: ConnectionConfig) =>
  withDeps(connection, async (deps) => {
    const caller = await createOwner(deps)
    const account_ids: string[] = []
    for (const name of ['one', 'two'])
      account_ids.push((await connectAccount(deps, caller, { network: 'playground', name })).id)
    const scheduled_at = new Date(Date.now() + 30 * DAY).toISOString()
    const posts = await createMany(POSTS, (index) =>
      createPost(deps, caller, {
        content: `Post number ${index}, about as long as a post is.`,
        account_ids,
        scheduled_at,
      }),
    )
    const { token } = await createToken(deps, caller, { name: 'bench', scopes: ['posts:read'] })
    await deps.pool.query('vacuum analyze')
    return {
      workspace_id: caller.workspace_id,
      token,
      ids: posts.map(({ id }) => id),
      // Read from the server, so that both sides always send the same statement.
      statement: selectPost(deps.db, { id: '', workspace_id: '' }).compile().sql,
      poolSize: deps.pool.options.max,
    }
  })
