import { equalInConstantTime, hmac, type Keyring } from '../../../lib/crypto/crypto.ts'

/** `v1$<key id>$<HMAC-SHA256(key, secret)>`. The secret has 256 random bits, so it needs neither salt nor a slow hash. */
export function hashSecret(keyring: Keyring, secret: string, kid?: string) {
  const { id, key } = kid === undefined ? keyring.current('client_link') : { id: kid, key: keyring.byId(kid) }
  return `v1$${id}$${hmac(key, secret).digest('base64url')}`
}

export function matchesSecret(keyring: Keyring, hashed: string, secret: string) {
  const [, kid] = hashed.split('$')
  return kid !== undefined && equalInConstantTime(hashed, hashSecret(keyring, secret, kid))
}
