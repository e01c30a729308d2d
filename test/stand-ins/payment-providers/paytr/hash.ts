import { createHmac } from 'node:crypto'

/** PayTR's hash: base64 of HMAC-SHA256 with the merchant key over the texts, joined without a separator. The salt is one of them. */
export const paytrHash = (merchantKey: string, ...texts: string[]) =>
  createHmac('sha256', merchantKey).update(texts.join('')).digest('base64')
