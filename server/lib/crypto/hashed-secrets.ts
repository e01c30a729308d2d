import { randomBytes } from 'node:crypto'
import { equalInConstantTime, hmac, type Keyring, type Purpose } from './crypto.ts'

/**
 * `v1$<key id>$<salt>$<HMAC-SHA256(key, salt ‖ secret)>`, with the key of a purpose. For secrets that Meydan made of 128
 * random bits or more: a slow password hash adds nothing to these but delays every call.
 */
export const hashSecret = (keyring: Keyring, purpose: Purpose, secret: string) =>
  hashWith(keyring.current(purpose), secret, randomBytes(16).toString('base64url'))

export function matchesSecret(keyring: Keyring, hashed: string, secret: string) {
  const [, id, salt] = hashed.split('$')
  if (id === undefined || salt === undefined) return false
  return equalInConstantTime(hashed, hashWith({ id, key: keyring.byId(id) }, secret, salt))
}

const hashWith = ({ id, key }: ReturnType<Keyring['current']>, secret: string, salt: string) =>
  `v1$${id}$${salt}$${hmac(key, salt, secret).digest('base64url')}`
