import { selectOffered } from '../server/modules/plans/plans.ts'
import { type Claim, load, type Measured, sideBySide, startPostgres, startServer } from './harness.ts'
import { inMeydan, serverSettings } from './meydan.ts'

const WANTED = 0.8
const CONNECTIONS = 32
const PATH = '/api/v1/plans'

/**
 * The price list, through everything that Meydan puts around an answer, against a bare Fastify route that sends the same
 * SQL with bare pg; and, to tell what Meydan puts around it, against one that has the bytes in memory as Meydan has.
 */
export const claim: Claim = {
  name: 'plan-list',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio, part }) => part !== undefined || ratio >= WANTED,
  measure: async ({ quick, say }) => {
    const connection = await startPostgres()
    const statement = await inMeydan(connection, async ({ db, pool }) => ({
      statement: selectOffered(db)
        .compile()
        .sql.replace('"is_public" = $1 and "is_active" = $2', 'is_public and is_active'),
      poolSize: pool.options.max,
    }))
    const meydan = await startServer(new URL('../server/cli.ts', import.meta.url), serverSettings(connection), [
      'serve',
    ])
    const text = await (await fetch(`${meydan.url}${PATH}`)).text()
    const bare = await startServer(new URL('floors/plan-list.ts', import.meta.url), {
      FLOOR: JSON.stringify({ connection, ...statement, text }),
    })
    const same = await (await fetch(`${bare.url}/plans`)).text()
    if (same !== text) throw new Error('the floor sends something else')
    const read = (url: string, path: string) => (seconds: number) =>
      load(url, [path], { connections: CONNECTIONS, seconds, awake: true })
    const against = async (floor: string): Promise<Measured> => ({
      ...(await sideBySide({
        rounds: quick ? 4 : 20,
        seconds: quick ? 1 : 2,
        value: read(meydan.url, PATH),
        floor: read(bare.url, floor),
        say,
      })),
      unit: 'requests/s',
    })
    return [await against('/plans'), { ...(await against('/bytes')), part: 'vs bytes in memory', wanted: 'told' }]
  },
}
