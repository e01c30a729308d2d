import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes of this one that read files. Empty where the system does not list them. */
export function decoderIds() {
  try {
    const lists = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'))
    const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
    return children.filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('files/worker/main.ts'))
  } catch {
    return []
  }
}
