import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto'
import type { Call, Reply } from './server.ts'

const parse = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Header and claims of a JWT that is signed with ES256 by this key; undefined if it is not. */
export function verified(jwt: string, keyOf: (header: Record<string, unknown>) => JsonWebKey | undefined) {
  try {
    const [header = '', claims = '', signature = ''] = jwt.split('.')
    const fields = parse(header)
    const key = keyOf(fields)
    if (fields.alg !== 'ES256' || key?.kty !== 'EC' || key.crv !== 'P-256' || key.d !== undefined) return
    const publicKey = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
    return isSigned ? { header: fields, claims: parse(claims), key } : undefined
  } catch {
    return
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The thumbprint of a key (RFC 7638). */
const thumbprint = ({ crv, kty, x, y }: JsonWebKey) => hash(JSON.stringify({ crv, kty, x, y }))

/** Seconds by which the clocks of a client and a server may differ. */
const SKEW_S = 60

/**
 * Checks proofs of possession (RFC 9449) as servers of the protocol do: each counts once, for one method and address,
 * with a nonce of this server that is not older than one rotation.
 */
export function proofs(origin: () => string) {
  const used = new Set<string>()
  let nonces = [randomBytes(8).toString('hex')]
  const isClaimed = (claims: Record<string, unknown>, { method, path }: Call) =>
    claims.htm === method &&
    claims.htu === `${origin()}${path}` &&
    typeof claims.iat === 'number' &&
    Math.abs(claims.iat - Date.now() / 1000) < SKEW_S

  return {
    rotate: () => {
      nonces = [randomBytes(8).toString('hex'), ...nonces].slice(0, 2)
    },
    forgetNonces: () => {
      nonces = [randomBytes(8).toString('hex')]
    },
    withNonce: (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'dpop-nonce': nonces[0] ?? '' } }),
    /** The thumbprint of the key, or why the proof does not count. `token`: the access token that comes with it. */
    check: (call: Call, token?: string): { jkt: string } | { error: 'invalid_dpop_proof' | 'use_dpop_nonce' } => {
      const { dpop } = call.headers
      const proof = typeof dpop === 'string' ? verified(dpop, ({ jwk }) => jwk as JsonWebKey | undefined) : undefined
      const { jti, nonce, ath } = proof?.claims ?? {}
      if (proof?.header.typ !== 'dpop+jwt' || !isClaimed(proof.claims, call)) return { error: 'invalid_dpop_proof' }
      if (!nonces.includes(String(nonce))) return { error: 'use_dpop_nonce' }
      if (typeof jti !== 'string' || used.has(jti)) return { error: 'invalid_dpop_proof' }
      used.add(jti)
      if (token !== undefined && ath !== hash(token)) return { error: 'invalid_dpop_proof' }
      return { jkt: thumbprint(proof.key) }
    },
  }
}
