import { selectOffered } from '../server/modules/plans/plans.ts'
import { atLeast, type Claim, compareWithBaseline } from './harness.ts'
import { load } from './http.ts'
import { serverSettings, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, startServer } from './processes.ts'

const CONNECTIONS = 32
const PATH = '/api/v1/plans'

/**
 * Compares the price list with a Fastify route that only sends the same SQL with pg. A second part, with a route that
 * sends the same bytes from memory as Meydan does, shows the cost of the checks alone.
 */
export const claim: Claim = {
  name: 'plan-list',
  target: atLeast(0.8),
  measure: async (bench) => {
    const connection = await startPostgres()
    const statement = await withDeps(connection, async ({ db, pool }) => ({
      statement: selectOffered(db)
        .compile()
        .sql.replace('"is_public" = $1 and "is_active" = $2', 'is_public and is_active'),
      poolSize: pool.options.max,
    }))
    const meydan = await startMeydan(serverSettings(connection))
    const text = await (await fetch(`${meydan.url}${PATH}`)).text()
    const bare = await startServer('baselines/plan-list.ts', {
      BASELINE: JSON.stringify({ connection, ...statement, text }),
    })
    const same = await (await fetch(`${bare.url}/plans`)).text()
    if (same !== text) throw new Error('the baseline sends a different price list')
    const read = (url: string, path: string) => (seconds: number) =>
      load(url, [path], { connections: CONNECTIONS, seconds, keepAwake: true })
    const compareWith = (path: string) =>
      compareWithBaseline(bench, {
        unit: 'requests/s',
        rounds: 20,
        seconds: 2,
        value: read(meydan.url, PATH),
        baseline: read(bare.url, path),
      })
    return [
      await compareWith('/plans'),
      { ...(await compareWith('/bytes')), part: 'vs bytes in memory', target: atLeast(0, 'reported only') },
    ]
  },
}
