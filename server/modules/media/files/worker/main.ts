/** Entry of the processes that read files. `decoder-process.ts` starts them. */
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { convert, crop } from './convert-image.ts'
import { drawCard } from './draw-card.ts'
import { inspect } from './inspect-file.ts'
import { prepare, thumbnailOf } from './prepare-image.ts'
import { serveCalls } from './serve-calls.ts'
import { stripVideoMetadata } from './strip-video-metadata.ts'

const tasks = { inspect, prepare, convert, crop, drawCard, thumbnailOf, stripVideoMetadata }

export type Tasks = typeof tasks

/** Requests of people come first, and when memory ends, this process is the one to end. */
function giveWay() {
  setPriority(10)
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}

giveWay()
serveCalls(tasks)
// Otherwise it is written at the exit, and these processes are killed.
flushCompileCache()
