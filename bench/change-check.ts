import { cpuOf, cpuWithChildren, parentOf } from './cpu.ts'
import { atMost, type Claim, callInLoops, createMany, digits, median, quartiles } from './harness.ts'
import { postJson } from './http.ts'
import { createOwner, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const CONSOLES = 1000
const WORKSPACES = 20
const POSTS = 40
const PULSE_SECONDS = 2.5
const CONCURRENCY = 8

/**
 * Compares the CPU time of an open console in which nothing changes with that of a console which asks for each list by
 * itself, as the console did before `GET /me/pulse`. The unit is a minute of one console, in Node and PostgreSQL.
 */
export const claim: Claim = {
  name: 'pulse',
  target: atMost(0.5),
  measure: async ({ quick, log }) => {
    const [rounds, minutes] = quick ? [2, 20] : [7, 60]
    const connection = await startPostgres()
    const postmaster = await withDeps(connection, async (deps) => {
      await createOwner(deps)
      const { rows } = await deps.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      return parentOf(rows[0]?.pid ?? 0)
    })
    const { url, pid } = await startMeydan({ ...serverSettings(connection), ROLE: 'all' })
    const workspaces = await fill(url)
    const used = async () => (await cpuOf(pid)) + (await cpuWithChildren(postmaster))
    const costOf = (open: Open) => async () => {
      const before = await used()
      await callInLoops(
        CONCURRENCY,
        (begun) => begun >= minutes,
        (index) => open(url, workspaces[index % WORKSPACES] ?? {}),
      )
      return ((await used()) - before) / minutes
    }
    const pulse = costOf(askForPulse)
    const lists = costOf(askForLists)
    log('warming up')
    for (const measure of [pulse, lists]) await measure()
    const costs: { pulse: number; lists: number }[] = []
    for (let round = 1; round <= rounds; round++) {
      const first = await (round % 2 ? pulse : lists)()
      const second = await (round % 2 ? lists : pulse)()
      const cost = round % 2 ? { pulse: first, lists: second } : { pulse: second, lists: first }
      costs.push(cost)
      log(`round ${round}/${rounds}: ${digits(cost.pulse)} ms a minute, lists ${digits(cost.lists)} ms`)
    }
    const ratios = costs.map((cost) => cost.pulse / cost.lists)
    const value = median(costs.map((cost) => cost.pulse))
    log(`${CONSOLES} open consoles use ${digits((value * CONSOLES) / 60_000)} cores`)
    const baseline = median(costs.map((cost) => cost.lists))
    return { value, baseline, unit: 'ms a minute', ratio: median(ratios), spread: quartiles(ratios) }
  },
}

type Headers = Record<string, string>

/** Creates workspaces with accounts and posts. Returns the headers of a console that shows each. */
async function fill(url: string) {
  const cookie = await signIn(url)
  return createMany(WORKSPACES, async (index): Promise<Headers> => {
    const create = async (path: string, body: object, headers: Headers) => {
      const response = await postJson(`${url}/api/v1/${path}`, body, headers)
      return ((await response.json()) as { id: string }).id
    }
    const workspace = await create('workspaces', { name: `Bench ${index}` }, { cookie })
    const headers = { cookie, 'x-workspace-id': workspace }
    const account_ids = [await create('accounts', { network: 'playground' }, headers)]
    for (let post = 0; post < POSTS; post++) await create('posts', { content: `Post ${post}`, account_ids }, headers)
    return headers
  })
}

/** Makes the calls of one console in one minute. */
type Open = (url: string, headers: Headers) => Promise<void>

const ask = async (url: string, headers: Headers) => {
  const response = await fetch(url, { headers })
  if (!response.ok && response.status !== 304) throw new Error(`GET ${url} failed with ${response.status}`)
  await response.arrayBuffer()
  return response
}

const PULSES = 60 / PULSE_SECONDS

async function askForPulse(url: string, headers: Headers) {
  const pulse = `${url}/api/v1/me/pulse?workspace_id=${headers['x-workspace-id']}`
  const { headers: first } = await ask(pulse, headers)
  const known = { ...headers, 'if-none-match': first.get('etag') ?? '' }
  for (let call = 1; call < PULSES; call++) await ask(pulse, known)
}

async function askForLists(url: string, headers: Headers) {
  const list = (path: string, calls: number) =>
    Array.from({ length: calls }, () => path.replace('NOW', new Date(Date.now() - 15_000).toISOString()))
  const paths = [
    ...list('posts?limit=100&updated_since=NOW', PULSES),
    ...list('posts/deleted?limit=100&since=NOW', PULSES),
    ...list('posts/reviews?limit=100', 4),
    ...list('accounts?limit=100', 2),
    ...list('posts/counts', 1),
    ...list('marketplace/orders/counts', 1),
  ]
  for (const path of paths) await ask(`${url}/api/v1/${path}`, headers)
}
