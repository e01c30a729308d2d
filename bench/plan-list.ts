import { type Claim, load, sideBySide, startPostgres, startServer } from './harness.ts'
import { serverSettings } from './meydan.ts'

const WANTED = 0.8
const CONNECTIONS = 32
const PATH = '/api/v1/plans'

/** The price list, through everything that Meydan puts around an answer, against a bare Fastify route with the same bytes. */
export const claim: Claim = {
  name: 'plan-list',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio }) => ratio >= WANTED,
  measure: async ({ quick, say }) => {
    const connection = await startPostgres()
    const meydan = await startServer(new URL('../server/cli.ts', import.meta.url), serverSettings(connection), [
      'serve',
    ])
    const answer = await fetch(`${meydan.url}${PATH}`)
    const bare = await startServer(new URL('floors/plan-list.ts', import.meta.url), {
      FLOOR: JSON.stringify({ path: PATH, type: answer.headers.get('content-type'), text: await answer.text() }),
    })
    const read = (url: string) => (seconds: number) =>
      load(url, [PATH], { connections: CONNECTIONS, seconds, awake: true })
    const measured = await sideBySide({
      rounds: quick ? 4 : 20,
      seconds: quick ? 1 : 2,
      value: read(meydan.url),
      floor: read(bare.url),
      say,
    })
    return { ...measured, unit: 'requests/s' }
  },
}
