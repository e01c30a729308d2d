import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaled } from '../run/machine.ts'
import type { Operation } from './document.ts'
import { type Plan, requests, requestsTo } from './requests.ts'
import { startSession } from './session.ts'

const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600)
/**
 * Requests to one Meydan. A session slows down as its data grows: each new instance admin gets a mail about each payment
 * request of all that follow.
 */
const MAX_PER_SESSION = 3000
/** Sessions at a time. Each takes seconds to start. */
const SESSIONS = REQUESTS > MAX_PER_SESSION ? 3 : 1
const PAUSE_EVERY = 100
/** Requests to an operation that chance has not covered, before it counts as never covered. */
const MAX_TRIES = 200
/** Tries generated at a time: most operations need one. */
const TRIES_AT_ONCE = 2
/** Tries after which a record is created for those that follow. */
const REFRESH_EVERY = 10
/** Requests generated at a time. */
const BATCH = 250
const MAX_FAULTS = 20
const replay = `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS} npm test -- fuzz`

/** The client of a server exists only where people reach Meydan by a public https address: tests of that network have one. */
const elsewhere = ['readClientMetadata']

type Count = { sent: number; succeeded: number; refused: number }
type Fault = { where: string; index: number; fault: string; curl: string; response: string }

/** Whether a request has nothing to refuse, besides rare headers. */
const servesAnyone = ({ access, parameters, body }: Operation) =>
  access.level === 'anyone' && parameters.every((one) => one.in === 'header') && body === undefined

/** Takes seconds to build, and all sessions have the same document. */
let random: fc.Arbitrary<Plan> | undefined

/** Sends the requests derived from `seed` to a separate Meydan. `coversAll`: and those that chance has not covered. */
async function fuzz(number: number, { seed, most, coversAll }: { seed: number; most: number; coversAll: boolean }) {
  const session = await startSession()
  const counts = new Map<string, Count>()
  const faults = new Map<string, Fault>()
  let index = 0
  const run = async (plan: Plan) => {
    const { operationId } = plan.operation
    const {
      status,
      faults: found,
      curl,
      response,
      caller,
    } = await session.run(plan).catch((cause: unknown) => {
      throw new Error(`${replay}: session ${number}, request ${index} (${operationId}) could not be made`, { cause })
    })
    const count = counts.get(operationId) ?? { sent: 0, succeeded: 0, refused: 0 }
    counts.set(operationId, count)
    count.sent++
    if (plan.method === plan.operation.method) {
      if (status >= 200 && status < 400) count.succeeded++
      if (status >= 400 && status < 500) count.refused++
    }
    for (const fault of found) {
      const where = `session ${number}, request ${index}: ${plan.method} ${plan.operation.path} by ${caller.name} responds with ${status}`
      // One fault of each kind is enough.
      const kind = `${plan.operation.path} ${status} ${fault.slice(0, 60)}`
      if (!faults.has(kind)) faults.set(kind, { where, index, fault, curl, response: response.slice(0, 1000) })
    }
    if (++index % PAUSE_EVERY === 0) await session.pause()
    return status
  }
  const sample = (arbitrary: fc.Arbitrary<Plan>, numRuns: number) =>
    fc.sample(arbitrary, { seed: seed + index, numRuns })
  function* tries(arbitrary: fc.Arbitrary<Plan>) {
    for (let made = 0; made < MAX_TRIES; made += TRIES_AT_ONCE) yield* sample(arbitrary, TRIES_AT_ONCE)
  }
  const operationOf = (id: string) => {
    const operation = session.document.operations.find(({ operationId }) => operationId === id)
    if (!operation) throw new Error(`There is no operation ${id}`)
    return operation
  }

  /** The operations that create and list the records of an operation. */
  const makersOf = ({ path }: Operation) =>
    ['POST', 'GET'].flatMap((method) =>
      session.document.operations.filter((one) => one.method === method && one.path === path.replace(/\/\{.*/, '')),
    )

  try {
    // Before any account exists: the request that creates the first.
    for (const plan of sample(requestsTo(operationOf('setUp'), 'valid', session.document), 1)) await run(plan)
    await session.begin()
    random ??= requests(session.document)
    while (index < most && faults.size < MAX_FAULTS)
      for (const plan of sample(random, Math.min(BATCH, most - index))) await run(plan)
    // Operations not covered by chance: each is the task of one session. The records they need exist by now.
    const own = session.document.operations.filter((_, index) => coversAll && index % SESSIONS === number)
    for (const operation of own)
      for (const [intent, of] of [
        ['valid', 'succeeded'],
        ['mutated', 'refused'],
      ] as const) {
        const { operationId } = operation
        if (of === 'refused' ? servesAnyone(operation) : elsewhere.includes(operationId)) continue
        const missing = () => !counts.get(operationId)?.[of] && faults.size < MAX_FAULTS
        if (!missing()) continue
        let tried = 0
        for (const plan of tries(requestsTo(operation, intent, session.document))) {
          if (!missing()) break
          // Others may have deleted all known records by then.
          if (++tried % REFRESH_EVERY === 0)
            for (const maker of makersOf(operation))
              for (const fresh of sample(requestsTo(maker, 'valid', session.document), 1)) await run(fresh)
          await run(plan)
        }
      }
    const served = session.document.operations.filter(servesAnyone).map(({ operationId }) => operationId)
    return { counts, faults: [...faults.values()], sent: index, served }
  } finally {
    await session.close()
  }
}

const report = (found: Fault[]) =>
  found.map(({ where, fault, curl, response }) => `${where}\n  ${fault}\n  ${curl}\n  ${response}`).join('\n\n')

const table = (counts: Map<string, Count>) =>
  [...counts]
    .map(
      ([id, { sent, succeeded, refused }]) =>
        `${id.padEnd(28)} ${sent} sent, ${succeeded} succeeded, ${refused} refused`,
    )
    .join('\n')

test(`every response to fuzzed requests matches /openapi.json (FUZZ_SEED=${SEED})`, {
  timeout: scaled(180_000) + REQUESTS * 200,
}, async () => {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const rounds = Math.ceil(REQUESTS / (SESSIONS * MAX_PER_SESSION))
  const sessions: Awaited<ReturnType<typeof fuzz>>[] = []
  for (let round = 0; round < rounds && sessions.every((one) => one.faults.length === 0); round++) {
    const most = Math.ceil(REQUESTS / rounds / SESSIONS)
    const coversAll = round === rounds - 1
    const begun = Array.from({ length: SESSIONS }, (_, number) =>
      fuzz(number, { seed: SEED + (round * SESSIONS + number) * 1_000_003, most, coversAll }),
    )
    sessions.push(...(await Promise.all(begun)))
    if (rounds > 1) process.stdout.write(`round ${round + 1} of ${rounds} after ${seconds()} s\n`)
  }
  const counts = new Map<string, Count>()
  for (const [id, { sent, succeeded, refused }] of sessions.flatMap((one) => [...one.counts])) {
    const sum = counts.get(id) ?? { sent: 0, succeeded: 0, refused: 0 }
    counts.set(id, { sent: sum.sent + sent, succeeded: sum.succeeded + succeeded, refused: sum.refused + refused })
  }
  const sent = sessions.reduce((sum, one) => sum + one.sent, 0)
  console.log(`seed ${SEED}: ${sent} requests in ${seconds()} s\n${table(counts)}`)
  const faults = sessions.flatMap((one) => one.faults)
  if (faults.length) throw new Error(`${replay}\n\n${report(faults)}`)
  for (const id of elsewhere) counts.delete(id)
  const never = (of: 'succeeded' | 'refused') => [...counts].filter(([, count]) => !count[of]).map(([id]) => id)
  const refused = never('refused').filter((id) => !sessions[0]?.served.includes(id))
  expect({ succeeded: never('succeeded'), refused }).toEqual({ succeeded: [], refused: [] })
})
