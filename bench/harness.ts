import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { startEmbeddedPostgres } from '../server/lib/embedded-postgres.ts'

/** What a claim was found to be. The floor is what the value is held against; `ratio` is value / floor. */
export type Measured = {
  value: number
  floor: number
  unit: string
  ratio: number
  /** Lower and upper quartile of the ratio over the rounds. */
  spread: [number, number]
  /** Of a claim about several things: which of them this is, and what is wanted of it. */
  part?: string
  wanted?: string
}

export type Bench = {
  /** Fewer and shorter rounds, to see that a bench works. */
  quick: boolean
  /** Let Lighthouse judge the console, too. */
  lighthouse: boolean
  /** Says how far it is. */
  say: (message: string) => void
}

/** One promise about speed. Each file in bench/ exports one as `claim`. */
export type Claim = {
  name: string
  /** What is wanted, in words; `holds` decides. */
  wanted: string
  holds: (measured: Measured) => boolean
  measure: (bench: Bench) => Promise<Measured | Measured[]>
}

export function quantile(values: readonly number[], part: number) {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * part
  const below = sorted[Math.floor(position)] ?? Number.NaN
  return below + ((sorted[Math.ceil(position)] ?? below) - below) * (position % 1)
}
export const median = (values: readonly number[]) => quantile(values, 0.5)

/**
 * Measures two sides in turns, so that both meet the same moods of a shared machine, and compares them round by round.
 * The side that goes first changes with every round. `value` and `floor` work for that many seconds and answer how
 * much they got done a second.
 */
export async function sideBySide({
  rounds,
  seconds,
  value,
  floor,
  say,
}: {
  rounds: number
  seconds: number
  value: (seconds: number) => Promise<number>
  floor: (seconds: number) => Promise<number>
  say: Bench['say']
}): Promise<Omit<Measured, 'unit'>> {
  say('warming up')
  await value(2 * seconds)
  await floor(2 * seconds)
  const values: number[] = []
  const floors: number[] = []
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const turns = [async () => values.push(await value(seconds)), async () => floors.push(await floor(seconds))]
    for (const turn of round % 2 ? turns : turns.reverse()) await turn()
    const [ours = Number.NaN, theirs = Number.NaN] = [values.at(-1), floors.at(-1)]
    ratios.push(ours / theirs)
    say(`round ${round}/${rounds}: ${ours.toFixed(0)} against ${theirs.toFixed(0)}: ${(ours / theirs).toFixed(3)}`)
  }
  return {
    value: median(values),
    floor: median(floors),
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  }
}

const closers: (() => Promise<unknown>)[] = []

/** Has something ended with the bench. */
export const atEnd = (close: () => Promise<unknown>) => closers.push(close)

/** Ends what a bench started and removes what it wrote, in the reverse order. */
export async function cleanUp() {
  for (const close of closers.splice(0).reverse()) await close()
}

/** A folder for DATA_DIR. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-bench-'))
  closers.push(async () => {
    // The cluster of a root without user namespaces stands elsewhere.
    const cluster = await realpath(join(folder, 'postgres')).catch(() => folder)
    await rm(cluster, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** A PostgreSQL with the settings that people run: its data survives a power cut. */
export async function startPostgres() {
  const postgres = await startEmbeddedPostgres({ dataDir: await temporaryFolder(), log: () => undefined })
  closers.push(postgres.stop)
  return postgres.connection
}

/** Runs a server of ours in a process of its own: on PORT, and ready when /readyz says so. */
export async function startServer(file: URL, settings: Record<string, string>, args: string[] = []) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  return { url, ...(await startProcess(file, { PORT: port, ...settings }, args, () => isReady(url))) }
}

/** Runs a process of ours, which is ready when `isReady`, called with what it said so far, says so. */
export async function startProcess(
  file: URL,
  settings: Record<string, string>,
  args: string[],
  isReady: (said: string) => boolean | Promise<boolean>,
) {
  const begun = performance.now()
  // Settings of the shell do not reach the process, so that a bench is the same everywhere.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
  const child = spawn(process.execPath, [...process.execArgv, file.pathname, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  closers.push(stop)
  while (!(await isReady(said))) {
    if (child.exitCode !== null) throw new Error(`${file.pathname} ended:\n${said}`)
    if (performance.now() - begun > 60_000) throw new Error(`${file.pathname} is not ready after a minute:\n${said}`)
    await sleep(5)
  }
  return { stop, seconds: (performance.now() - begun) / 1000 }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** What is asked for: a path, or one with headers and a body of its own, which is sent as JSON with POST. */
type Ask = string | { path: string; headers?: Record<string, string>; body?: object }

type Load = {
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Sent as JSON with POST; without one it is GET. */
  body?: object
  /** Keep a core busy with waiting, for a server that leaves one free. */
  awake?: boolean
}

/** Requests a second that a server answers. Each connection asks for all of them in turn, from another one onward. */
export async function load(
  url: string,
  asks: readonly Ask[],
  { connections, seconds, headers = {}, body: everyBody, awake = false }: Load,
) {
  const requests = asks.map((ask) => {
    const { path, headers: own, body = everyBody } = typeof ask === 'string' ? { path: ask } : ask
    return {
      path,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers, ...own },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }
  })
  let clients = 0
  let loading = true
  // On two cores a server that is the faster one keeps the client awake, and the slower one pays to wake it, which costs
  // more than what is compared. So the client never sleeps.
  const stayAwake = () => loading && setImmediate(stayAwake)
  if (awake) stayAwake()
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const first = Math.floor((clients++ / connections) * requests.length)
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
  })
  loading = false
  const { non2xx, errors, timeouts } = result
  if (non2xx + errors + timeouts > 0)
    throw new Error(`Requests to ${url}${requests[0]?.path} failed: ${JSON.stringify({ non2xx, errors, timeouts })}`)
  return result['2xx'] / result.duration
}
