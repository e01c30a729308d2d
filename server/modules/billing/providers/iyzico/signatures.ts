import { hmac } from '../../../../lib/crypto/crypto.ts'

type Signed = { apiKey: string; secretKey: string; random: string; path: string; body: string }

/** The header of a call (IYZWSv2). `path`: without the query. `body`: the exact text that is sent. */
export function authorization({ apiKey, secretKey, random, path, body }: Signed) {
  const signature = hmac(secretKey, random, path, body).digest('hex')
  const fields = `apiKey:${apiKey}&randomKey:${random}&signature:${signature}`
  return `IYZWSv2 ${Buffer.from(fields).toString('base64')}`
}

/** `X-IYZ-SIGNATURE-V3` of a webhook. The order of the fields depends on what it is about. */
export const webhookSignature = (secretKey: string, fields: readonly string[]) =>
  hmac(secretKey, ...fields).digest('hex')
