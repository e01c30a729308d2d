import { setImmediate } from 'node:timers/promises'

/** Some milliseconds of work on texts. */
const TURN = 20

/** Maps a list in parts, between which requests have their turn. */
export async function mapInTurns<From, To>(list: readonly From[], map: (one: From) => To) {
  const mapped: To[] = []
  for (const one of list) {
    mapped.push(map(one))
    if (mapped.length % TURN === 0) await setImmediate()
  }
  return mapped
}
