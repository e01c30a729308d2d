import { createHmac } from 'node:crypto'
import type { Call } from '../server.ts'

const hmac = (key: string, text: string | Buffer) => createHmac('sha256', key).update(text).digest('hex')

/** The value of `Authorization`. `path`: without the query. `body`: the exact bytes sent. */
export function iyzicoAuthorization(apiKey: string, secretKey: string, random: string, path: string, body: string) {
  const signature = hmac(secretKey, random + path + body)
  return `IYZWSv2 ${Buffer.from(`apiKey:${apiKey}&randomKey:${random}&signature:${signature}`).toString('base64')}`
}

/** The value of `X-IYZ-SIGNATURE-V3`. The texts are joined without a separator; the secret is one of them. */
export const iyzicoWebhookSignature = (secretKey: string, ...texts: string[]) => hmac(secretKey, texts.join(''))

/** The field `signature` of responses about one-off payments. */
export const iyzicoResponseSignature = (secretKey: string, ...texts: string[]) => hmac(secretKey, texts.join(':'))

/** Whether a call carries the signature of its exact bytes. */
export function isSigned({ headers, path, raw }: Call, apiKey: string, secretKey: string) {
  const random = headers['x-iyzi-rnd']
  if (typeof random !== 'string' || random === '') return false
  const expected = iyzicoAuthorization(apiKey, secretKey, random, path, raw.toString())
  return headers.authorization === expected
}
