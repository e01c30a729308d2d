import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { problem } from '../../../../errors.ts'
import { limitFairly } from '../../../../lib/runtime/concurrency/fair-limit.ts'
import { damaged } from '../rules/refusals.ts'
import type { Tasks } from '../worker/main.ts'
import type { Call, Response } from '../worker/serve-calls.ts'

/*
 * Files of strangers are read in processes of their own. Decoders are native code: one that crashes, takes all memory or
 * never returns must not end or block the process that serves requests, and only a process can be ended from outside at
 * any moment. It also has no secrets: its environment is empty. Each process reads one file at a time, so the file that
 * ends it is known.
 */

/** CPU time for a task, and for each megapixel of its image. Conversions, which no person waits for, try many sizes. */
const CPU_MS: Record<keyof Tasks, { base: number; perMegapixel: number }> = {
  inspect: { base: 10_000, perMegapixel: 0 },
  prepare: { base: 10_000, perMegapixel: 500 },
  crop: { base: 10_000, perMegapixel: 500 },
  drawCard: { base: 10_000, perMegapixel: 0 },
  thumbnailOf: { base: 10_000, perMegapixel: 0 },
  stripVideoMetadata: { base: 10_000, perMegapixel: 0 },
  convert: { base: 60_000, perMegapixel: 2400 },
}
/** A task may take this many times longer than its CPU time: requests of people come first. */
const MOST_WAITING = 6
/** Interval at which the CPU time of a task is read. */
const WATCH_MS = 250
/** Pixels above which an image is large. Each lane decodes one such image at a time: it can need hundreds of megabytes. */
const LARGE_PIXELS = 25_000_000
/** A process without work ends after this time, which returns its memory. */
const IDLE_MS = 30_000
const MAX_HEAP_MB = 512

type DecoderProcess = { child: ChildProcess; idleTimer?: NodeJS.Timeout }

const idle: DecoderProcess[] = []
const children = new Set<ChildProcess>()

const createLane = (max: number) => ({ all: limitFairly(max), large: limitFairly(1) })

/** Processes that work at a time. Posts are due at a time, so nothing that people upload delays their files. */
const lanes = { uploads: createLane(Math.min(3, availableParallelism())), publishing: createLane(1) }

/** On whose behalf a file is read. The workspaces of a lane take turns. */
export type Requester = { workspace_id: string; lane: keyof typeof lanes }

// A process that hangs does not notice that this one ends.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** The folder of compiled modules, in which Node has one for each of its versions. */
function compileCache() {
  const ofThisVersion = getCompileCacheDir()
  return ofThisVersion && dirname(ofThisVersion)
}

function start(): DecoderProcess {
  const child = fork(new URL('../worker/main.ts', import.meta.url), {
    serialization: 'advanced',
    // Without the first, glibc keeps freed memory for each thread.
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: compileCache() },
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const started = { child }
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    removeIdle(started)
  })
  return started
}

function removeIdle(process: DecoderProcess) {
  const index = idle.indexOf(process)
  if (index >= 0) idle.splice(index, 1)
}

/** Takes a waiting process. While it works, it keeps this process alive. */
function takeIdle(): DecoderProcess | undefined {
  const taken = idle.pop()
  clearTimeout(taken?.idleTimer)
  taken?.child.ref()
  taken?.child.channel?.ref()
  return taken
}

function putBack(used: DecoderProcess) {
  if (!used.child.connected) return
  used.child.unref()
  used.child.channel?.unref()
  used.idleTimer = setTimeout(() => {
    // Its end is told later, and no file may be given to it until then.
    removeIdle(used)
    used.child.kill('SIGKILL')
  }, IDLE_MS).unref()
  idle.push(used)
}

/** CPU time of a process so far, in milliseconds. Undefined where the system does not list processes. */
function cpuTimeOf({ pid }: ChildProcess) {
  try {
    // The name of the program may have spaces, and ends with the only bracket. A tick is a hundredth of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return undefined
  }
}

/** Calls `onOver` when a process has used its CPU time, or waited for it for too long. Returns a function that stops it. */
export function limitTime(child: ChildProcess, cpu_ms: number, onOver: () => void) {
  const begun_at = performance.now()
  const before = cpuTimeOf(child) ?? 0
  const timer = setInterval(() => {
    const passed = performance.now() - begun_at
    const used = (cpuTimeOf(child) ?? before + passed) - before
    if (used > cpu_ms || passed > MOST_WAITING * cpu_ms) onOver()
  }, WATCH_MS)
  return () => clearInterval(timer)
}

/** Sends one call. Undefined when the process ended. Rejects with a problem when the file took too long. */
async function call(process: DecoderProcess, pixels: number, message: Call<keyof Tasks>) {
  const { child } = process
  const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>()
  const onExit = () => resolve(undefined)
  const { base, perMegapixel } = CPU_MS[message.task]
  const stopWatching = limitTime(child, base + (perMegapixel * pixels) / 1e6, () => {
    reject(damaged('The file could not be read: it takes too long.'))
    child.kill('SIGKILL')
  })
  child.once('message', resolve)
  child.once('exit', onExit)
  child.once('error', onExit)
  child.send(message, (error) => error && onExit())
  try {
    const response = await promise
    if (response) putBack(process)
    return response
  } finally {
    stopWatching()
    child.off('message', resolve)
    child.off('exit', onExit)
    child.off('error', onExit)
  }
}

/** Gives a file to a waiting process, and to a new one if the system ended that, which may have been before the file came. */
async function callAny(pixels: number, message: Call<keyof Tasks>) {
  const waiting = takeIdle()
  const response = (waiting && (await call(waiting, pixels, message))) ?? (await call(start(), pixels, message))
  if (!response) throw damaged('The file could not be read: its decoder ended unexpectedly.')
  return response
}

type Results = { [Name in keyof Tasks]: Awaited<ReturnType<Tasks[Name]>> }

/**
 * Runs work that reads a file of a stranger when it is the turn of its workspace. `pixels`: the pixels of the image, 0
 * if unknown.
 */
export function inTurn<T>({ workspace_id, lane }: Requester, pixels: number, work: () => Promise<T>): Promise<T> {
  const { all, large } = lanes[lane]
  const begin = () => all(workspace_id, work)
  return pixels > LARGE_PIXELS ? large(workspace_id, begin) : begin()
}

/** Runs a task on a file in a process of its own. `pixels`: the pixels of the image, if they are known. */
export const inDecoderProcess = <Name extends keyof Tasks>(
  requester: Requester,
  pixels: number,
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<Results[Name]> =>
  inTurn(requester, pixels, async () => {
    const response = await callAny(pixels, { task, args })
    if ('problem' in response) {
      const { code, ...options } = response.problem
      throw problem(code, options)
    }
    if ('error' in response) throw response.error
    return response.value as Results[Name]
  })

export const pixelsOf = ({ width, height }: { width: number | null; height: number | null }) =>
  (width ?? 0) * (height ?? 0)
