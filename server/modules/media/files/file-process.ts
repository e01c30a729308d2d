import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { problem } from '../../../errors.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency-limit.ts'
import type { Call, Response, Tasks } from './decoding/main.ts'
import { damaged } from './refusals.ts'

/*
 * Files of strangers are read in processes of their own. Decoders are native code: one that crashes, takes all memory or
 * never returns must not end or block the process that serves requests, and only a process can be ended from outside at
 * any moment. It also has no secrets: its environment is empty. Each process reads one file at a time, so the file that
 * ends it is known.
 */

const MAX_PROCESSES = Math.min(2, availableParallelism())
const TASK_MS = 60_000
/** A process without work ends after this time, which returns its memory. */
const IDLE_MS = 30_000
const MAX_HEAP_MB = 512

type FileProcess = { child: ChildProcess; idleTimer?: NodeJS.Timeout }

const idle: FileProcess[] = []
const children = new Set<ChildProcess>()
const limit = limitConcurrency(MAX_PROCESSES)

// A process that hangs does not notice that this one ends.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function start(): FileProcess {
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
function take(): FileProcess {
  const taken = idle.pop() ?? start()
  clearTimeout(taken.idleTimer)
  taken.child.ref()
  taken.child.channel?.ref()
  return taken
}

function putBack(used: FileProcess) {
  if (!used.child.connected) return
  used.child.unref()
  used.child.channel?.unref()
  used.idleTimer = setTimeout(() => used.child.kill('SIGKILL'), IDLE_MS).unref()
  idle.push(used)
}

/** Sends one call. Rejects with a problem when the file ended the process or took too long. */
function call({ child }: FileProcess, message: Call): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const onExit = () => reject(damaged('The file could not be read: its decoder ended unexpectedly.'))
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(damaged(`The file could not be read within ${TASK_MS / 1000} seconds.`))
  }, TASK_MS)
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

/** Runs a task on a file in a process of its own. */
export const inFileProcess = <Name extends keyof Tasks>(
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<Results[Name]> =>
  limit(async (): Promise<Results[Name]> => {
    const taken = take()
    const response = await call(taken, { task, args })
    putBack(taken)
    if ('problem' in response) throw problem(response.problem.code, { detail: response.problem.detail })
    if ('error' in response) throw response.error
    return response.value as Results[Name]
  })
