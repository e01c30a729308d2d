import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Derives keys of passwords and passphrases with few rounds: thousands of tests sign in or open backups, at up to 0.3 s
 * of a core for each. Hashes and backups of a run are therefore readable only by processes of tests. It is loaded before
 * all other modules, also by processes of Meydan that tests start.
 */
const CHEAP_ROUNDS = 16

/** The parameters that the last call asked for. */
let asked: ScryptOptions = {}
export const askedScrypt = () => asked

let released: Promise<unknown> | undefined
/** Has all calls wait until the returned function is called, as many slow ones at once would. */
export function holdScrypt() {
  const { promise, resolve } = Promise.withResolvers<void>()
  released = promise
  return () => {
    released = undefined
    resolve()
  }
}

type Callback = (error: Error | null, key: Buffer) => void

const { scrypt } = crypto

function cheapScrypt(
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions | Callback,
  callback: Callback = () => undefined,
) {
  if (typeof options === 'function') return scrypt(password, salt, length, options)
  asked = options
  const cheap = { ...options, N: Math.min(options.N ?? CHEAP_ROUNDS, CHEAP_ROUNDS) }
  const derive = () => scrypt(password, salt, length, cheap, callback)
  if (released) released.then(derive)
  else derive()
}

Object.assign(crypto, { scrypt: cheapScrypt })
syncBuiltinESMExports()
