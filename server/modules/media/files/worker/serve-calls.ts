import { type ErrorCode, Problem } from '../../../../errors.ts'

export type Call<Name extends string = string> = { task: Name; args: unknown[] }
export type Response =
  | { value: unknown }
  | { problem: { code: ErrorCode; detail: string; cause: unknown } }
  | { error: Error }

async function respond(work: () => unknown): Promise<Response> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Problem)
      return { problem: { code: error.code, detail: error.message, cause: error.options.cause } }
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Runs the tasks that the parent process calls, one at a time. Ends with the parent. */
export function serveCalls(tasks: Record<string, (...args: never[]) => unknown>) {
  // A signal to the group ends the parent in its own time, which may still wait for this work.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ task, args }: Call) => {
    // Without the channel, a process whose work waits for nothing ends, instead of waiting for a promise that never settles.
    process.channel?.unref()
    const response = await respond(() => (tasks[task] as (...args: unknown[]) => unknown)(...args))
    process.channel?.ref()
    process.send?.(response)
  })
}
