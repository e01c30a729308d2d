import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds per tick of /proc: Linux reports 100 ticks a second on every machine. */
const TICK_MS = 10

/** Fields of /proc/<pid>/stat from the third one on. The second, a name in parentheses, may contain spaces. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent = 0, ...times] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times
  return { parent, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS }
}

export const parentOf = async (pid: number) => (await statOf(pid)).parent

/** CPU milliseconds of a process since its start. */
export const cpuOf = async (pid: number) => (await statOf(pid)).own

/** CPU milliseconds of a process and its children, also of those that have ended. */
export async function cpuWithChildren(pid: number) {
  for (;;) {
    const { own, ended } = await statOf(pid)
    const others = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    // A process can end between the two reads.
    const stats = await Promise.all(others.map((other) => statOf(other).catch(() => undefined)))
    const sum = stats.reduce((sum, stat) => (stat?.parent === pid ? sum + stat.own : sum), own + ended)
    // A child that ended meanwhile may be in neither number.
    if ((await statOf(pid)).ended === ended) return sum
  }
}
