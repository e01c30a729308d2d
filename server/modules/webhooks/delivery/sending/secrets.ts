import { type Keyring, seal, unseal } from '../../../../lib/crypto/crypto.ts'
import { type SigningKeys, signingKey } from '../../../../lib/crypto/webhook-signature.ts'

const contextOf = (webhook_id: string, column: 'secret' | 'previous_secret' | 'headers') =>
  `webhook|${webhook_id}|${column}`

export const sealSecret = (keyring: Keyring, webhook_id: string, secret: string) =>
  seal(keyring, secret, contextOf(webhook_id, 'secret'))

export const sealPreviousSecret = (keyring: Keyring, webhook_id: string, secret: string) =>
  seal(keyring, secret, contextOf(webhook_id, 'previous_secret'))

/** Encrypts custom headers. Without any, there is nothing to store. */
export const sealHeaders = (keyring: Keyring, webhook_id: string, headers: Record<string, string>) =>
  Object.keys(headers).length === 0 ? null : seal(keyring, JSON.stringify(headers), contextOf(webhook_id, 'headers'))

export const openSecret = (keyring: Keyring, { id, secret }: { id: string; secret: string }) =>
  unseal(keyring, secret, contextOf(id, 'secret'))

export function openHeaders(
  keyring: Keyring,
  { id, headers }: { id: string; headers: string | null },
): Record<string, string> {
  return headers === null ? {} : JSON.parse(unseal(keyring, headers, contextOf(id, 'headers')))
}

/** The columns that a request to a webhook needs. */
export const endpointColumns = [
  'webhook.id',
  'webhook.url',
  'webhook.headers',
  'webhook.secret',
  'webhook.previous_secret',
  'webhook.previous_secret_expires_at',
] as const

export type SealedWebhook = {
  id: string
  url: string
  headers: string | null
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: Date | null
}

/**
 * A webhook with its secrets decrypted. `headers` are the custom ones, in lower case; those of the signature override
 * them.
 */
export type Endpoint = SigningKeys & { url: string; headers: Record<string, string> }

export function openSecrets(keyring: Keyring, row: SealedWebhook): Endpoint {
  const own = Object.entries(openHeaders(keyring, row)).map(([name, value]) => [name.toLowerCase(), value])
  return {
    url: row.url,
    headers: { 'user-agent': 'Meydan-Webhooks/1.0', ...Object.fromEntries(own) },
    current: signingKey(openSecret(keyring, row)),
    previous:
      row.previous_secret === null
        ? null
        : signingKey(unseal(keyring, row.previous_secret, contextOf(row.id, 'previous_secret'))),
    previous_until: row.previous_secret_expires_at,
  }
}
