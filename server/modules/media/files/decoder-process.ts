import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { problem } from '../../../errors.ts'
import { createShares } from '../../../lib/runtime/concurrency/shares.ts'
import type { Call, Response, Tasks } from './decoding/main.ts'
import { damaged } from './refusals.ts'

/*
 * Files of strangers are read in processes of their own. Decoders are native code: one that crashes, takes all memory or
 * never returns must not end or block the process that serves requests, and only a process can be ended from outside at
 * any moment. It also has no secrets: its environment is empty. Each process reads one file at a time, so the file that
 * ends it is known.
 */

const MAX_PROCESSES = Math.min(2, availableParallelism())
/** Time for a task. Only conversions, which no person waits for, try more than once. */
const TASK_MS = {
  inspect: 60_000,
  prepare: 60_000,
  crop: 60_000,
  drawCard: 60_000,
  thumbnailOf: 60_000,
  forgetPlace: 60_000,
  convert: 300_000,
}
/** A picture with more pixels is decoded alone: its memory is hundreds of megabytes in some formats. */
const LARGE_PIXELS = 25_000_000
/** A process without work ends after this time, which returns its memory. */
const IDLE_MS = 30_000
const MAX_HEAP_MB = 512

type DecoderProcess = { child: ChildProcess; idleTimer?: NodeJS.Timeout }

const idle: DecoderProcess[] = []
const children = new Set<ChildProcess>()
const shares = createShares(MAX_PROCESSES, Number.POSITIVE_INFINITY)

// A process that hangs does not notice that this one ends.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function start(): DecoderProcess {
  const child = fork(new URL('./decoding/main.ts', import.meta.url), {
    serialization: 'advanced',
    // Without the second, glibc keeps freed memory for each thread.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const started = { child }
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    const index = idle.indexOf(started)
    if (index >= 0) idle.splice(index, 1)
  })
  return started
}

/** Takes a waiting process, or starts one. While it works, it keeps this process alive. */
function take(): DecoderProcess {
  const taken = idle.pop() ?? start()
  clearTimeout(taken.idleTimer)
  taken.child.ref()
  taken.child.channel?.ref()
  return taken
}

function putBack(used: DecoderProcess) {
  if (!used.child.connected) return
  used.child.unref()
  used.child.channel?.unref()
  used.idleTimer = setTimeout(() => used.child.kill('SIGKILL'), IDLE_MS).unref()
  idle.push(used)
}

/** Sends one call. Rejects with a problem when the file ended the process or took too long. */
function call({ child }: DecoderProcess, message: Call): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const onExit = () => reject(damaged('The file could not be read: its decoder ended unexpectedly.'))
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(damaged(`The file could not be read within ${TASK_MS[message.task] / 1000} seconds.`))
  }, TASK_MS[message.task])
  child.once('message', resolve)
  child.once('exit', onExit)
  child.once('error', onExit)
  child.send(message, (error) => error && reject(error))
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', resolve)
    child.off('exit', onExit)
    child.off('error', onExit)
  })
}

type Results = { [Name in keyof Tasks]: Awaited<ReturnType<Tasks[Name]>> }

/** Runs a task on a file in a process of its own. `pixels`: of the picture, as far as known. */
export async function inDecoderProcess<Name extends keyof Tasks>(
  pixels: number,
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<Results[Name]> {
  const share = pixels > LARGE_PIXELS ? MAX_PROCESSES : 1
  await shares.take('', share)
  try {
    const taken = take()
    const response = await call(taken, { task, args })
    putBack(taken)
    if ('problem' in response) {
      const { code, ...options } = response.problem
      throw problem(code, options)
    }
    if ('error' in response) throw response.error
    return response.value as Results[Name]
  } finally {
    shares.giveBack('', share)
  }
}

export const pixelsOf = ({ width, height }: { width: number | null; height: number | null }) =>
  (width ?? 0) * (height ?? 0)
