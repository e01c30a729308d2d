import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '../../../test/until.ts'
import { createLookup, type Lookup, LookupTimedOut } from './dns.ts'

const ADDRESS = [{ address: '192.0.2.1', family: 4 }]

/** A system lookup: names that begin with "silent" end on `endAll`, all others at once. */
function system() {
  const lookups: string[] = []
  const open: (() => void)[] = []
  const lookup: Lookup = (hostname, _, callback) => {
    lookups.push(hostname)
    if (hostname.startsWith('silent')) open.push(() => callback(null, ADDRESS))
    else setImmediate(() => callback(null, ADDRESS))
  }
  const endAll = () => {
    for (const end of open.splice(0)) end()
  }
  return { lookups, lookup, open, endAll }
}

const lookUp = (lookup: Lookup, hostname: string) =>
  new Promise((resolve, reject) =>
    lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  )

const names = (count: number, prefix = 'silent') => Array.from({ length: count }, (_, n) => `${prefix}${n}.test`)

/** Stops the clock: time passes only by `vi.advanceTimersByTime`, however slow the machine is. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })

describe('DNS lookups', () => {
  afterEach(() => void vi.useRealTimers())

  test('concurrent lookups of one name share one system lookup', async () => {
    const { lookups, lookup } = system()
    const shared = createLookup({ lookup })
    const found = await Promise.all(Array.from({ length: 20 }, () => lookUp(shared, 'a.test')))
    expect([found.length, lookups]).toEqual([20, ['a.test']])
    await lookUp(shared, 'a.test')
    expect(lookups).toHaveLength(2)
  })

  test('a failed lookup is reported to every caller', async () => {
    const error = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const shared = createLookup({ lookup: (_, __, response) => setImmediate(() => response(error, [])) })
    const found = await Promise.allSettled([lookUp(shared, 'a.test'), lookUp(shared, 'a.test')])
    expect(found).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ])
  })

  test('a lookup that times out fails, and keeps its slot until the system lookup has ended', async () => {
    stopClock()
    const { lookups, lookup, endAll } = system()
    const shared = createLookup({ lookup, timeoutMs: 30, atOnce: [1, 1, 2] })
    const timeOut = (name: string) => {
      const failure = lookUp(shared, name).catch((error) => error)
      vi.advanceTimersByTime(30)
      return failure
    }
    expect(await timeOut('silent.test')).toMatchObject({ code: 'lookup_timed_out', silent: true })
    // The same name uses no second slot. Another unknown name finds no free slot, which is not its own fault.
    expect(await timeOut('silent.test')).toMatchObject({ code: 'lookup_timed_out', silent: true })
    expect(await timeOut('other.test')).toMatchObject({ code: 'lookup_timed_out', silent: false })
    expect(lookups).toEqual(['silent.test'])
    endAll()
    await expect(lookUp(shared, 'other.test')).resolves.toEqual(ADDRESS)
  })

  test('a name that resolved before is not delayed by any number of names that do not respond', async () => {
    stopClock()
    const { lookups, lookup, open, endAll } = system()
    const shared = createLookup({ lookup, timeoutMs: 100 })
    await lookUp(shared, 'good.test')
    const silent = names(500).map((name) => lookUp(shared, name).catch((error) => error))
    expect(open).toHaveLength(8)
    for (let round = 0; round < 20; round++) await lookUp(shared, 'good.test')
    vi.advanceTimersByTime(100)
    for (const outcome of await Promise.all(silent)) expect(outcome).toBeInstanceOf(LookupTimedOut)
    // Lookups that were still queued when they timed out are not started.
    endAll()
    await lookUp(shared, 'good.test')
    expect(lookups.filter((name) => name.startsWith('silent'))).toHaveLength(8)
  })

  test('a new name is not delayed by names that did not respond before', async () => {
    stopClock()
    const { lookup, open, endAll } = system()
    const shared = createLookup({ lookup, timeoutMs: 50 })
    const silent = names(8)
    const first = Promise.allSettled(silent.map((name) => lookUp(shared, name)))
    vi.advanceTimersByTime(50)
    await first
    endAll()
    const again = silent.map((name) => lookUp(shared, name).catch(() => undefined))
    expect(open).toHaveLength(3)
    await Promise.all(names(50, 'new').map((name) => lookUp(shared, name)))
    vi.advanceTimersByTime(50)
    await Promise.all(again)
    endAll()
  })

  test('a lookup waits while all slots are taken', async () => {
    const { lookups, lookup, open, endAll } = system()
    const shared = createLookup({ lookup, timeoutMs: 600_000 })
    const all = Promise.all(names(30).map((name) => lookUp(shared, name)))
    for (const running of [8, 8, 8, 6]) {
      await until(() => expect(open).toHaveLength(running))
      endAll()
    }
    await all
    expect(lookups).toHaveLength(30)
  })
})

test('Meydan starts with enough threads that DNS lookups leave some for sign-ins, unless UV_THREADPOOL_SIZE is set', () => {
  const script = `
    const { enableCompileCache } = await import('node:module')
    enableCompileCache()
    const { widenThreads } = await import('./server/config/config.ts')
    widenThreads()
    await import('./server/modules/auth/better-auth/better-auth.ts')
    const { scrypt } = await import('node:crypto')
    const { readdirSync } = await import('node:fs')
    const count = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 32)
    const first = count()
    await new Promise((resolve) => scrypt('a', 'b', 16, resolve))
    console.log(process.platform === 'linux' ? count() - first : 32)`
  const threads = (env: Record<string, string | undefined>) =>
    Number(
      spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, UV_THREADPOOL_SIZE: undefined, ...env },
      }).stdout.toString(),
    )
  expect(threads({})).toBe(32)
  expect(threads({ UV_THREADPOOL_SIZE: '6' })).toBe(6)
})
