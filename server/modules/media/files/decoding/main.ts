/** Entry of the processes that read files. `decoder-process.ts` starts them. */
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type ErrorCode, Problem } from '../../../../errors.ts'
import { convert } from './convert-image.ts'
import { crop } from './crop-image.ts'
import { drawCard } from './draw-card.ts'
import { forgetPlace } from './forget-place.ts'
import { inspect } from './inspect-file.ts'
import { prepare, thumbnailOf } from './prepare-image.ts'

const tasks = { inspect, prepare, convert, crop, drawCard, thumbnailOf, forgetPlace }

export type Tasks = typeof tasks
export type Call = { task: keyof Tasks; args: unknown[] }
export type Response = { value: unknown } | { problem: { code: ErrorCode; detail: string; cause: unknown } } | { error: Error }

/** Requests of people come first, and when memory ends, this process is the one to end. */
function giveWay() {
  setPriority(10)
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}

async function respond({ task, args }: Call): Promise<Response> {
  try {
    return { value: await (tasks[task] as (...args: unknown[]) => Promise<unknown>)(...args) }
  } catch (error) {
    if (error instanceof Problem)
      return { problem: { code: error.code, detail: error.message, cause: error.options.cause } }
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

giveWay()
// A signal to the group ends the parent in its own time, which may still wait for this work.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on('message', async (call: Call) => {
  // Without the channel, a process whose work waits for nothing ends, instead of waiting for a promise that never settles.
  process.channel?.unref()
  const response = await respond(call)
  process.channel?.ref()
  process.send?.(response)
})
