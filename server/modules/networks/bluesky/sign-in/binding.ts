import { randomUUID } from 'node:crypto'
import type { TokenSet } from '@atproto/oauth-client'
import { TokenRefusal } from '../../oauth/token-response.ts'
import type { Tokens } from '../../oauth/tokens.ts'
import { SCOPES } from './client-metadata.ts'

/** Loaded on first use: it slows down the start, and many instances never need it. */
export const loadOAuth = () => import('@atproto/oauth-client')
const loadKeys = () => import('@atproto/jwk-jose')

type Jwk = Record<string, unknown>

/** A private key with an id. */
export async function newKey(): Promise<Jwk> {
  const { JoseKey } = await loadKeys()
  const { privateJwk } = await JoseKey.generate(['ES256'], randomUUID())
  return { ...privateJwk, alg: 'ES256' }
}

export const openKey = async (jwk: Jwk) => (await loadKeys()).JoseKey.fromJWK(jwk)

/** What a grant keeps with its tokens. `key`: proves its calls. `pds`: the server with the records of the account. */
export type Binding = { key: Jwk; did: TokenSet['sub']; issuer: string; pds: string }

export function toTokens({ key }: Pick<Binding, 'key'>, tokens: TokenSet): Tokens {
  const { access_token, refresh_token, expires_at, scope, sub, iss, aud } = tokens
  const binding: Binding = { key, did: sub, issuer: iss, pds: aud }
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    // The library has turned the seconds of the response into a time by this clock.
    expires_in:
      expires_at === undefined ? null : Math.max(60, Math.round((Date.parse(expires_at) - Date.now()) / 1000)),
    scopes: scope.split(' '),
    binding: JSON.stringify(binding),
  }
}

export function bindingOf({ binding }: Tokens): Binding {
  if (binding === undefined) throw new TokenRefusal('grant', 'The stored sign-in is incomplete. Sign in again.')
  return JSON.parse(binding)
}

/** The tokens as the library knows them. Without a refresh token it cannot renew them by itself. */
export async function tokenSetOf({ access_token, scopes }: Tokens, { did, issuer, pds }: Binding): Promise<TokenSet> {
  const { asAtprotoOAuthScope } = await loadOAuth()
  const scope = asAtprotoOAuthScope((scopes ?? SCOPES).join(' '))
  return { iss: issuer, sub: did, aud: pds, scope, access_token, token_type: 'DPoP' }
}
