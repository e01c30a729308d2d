import { isIP } from 'node:net'
import { isThisMachine } from '../../config/config.ts'
import { isForbidden } from '../outbound/safe-http.ts'

/** The host of a URL, an IPv6 address without brackets. */
export const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Whether strangers can likely reach this address: a public IP address, or a name of the public DNS. */
export function isPublic(baseUrl: string) {
  const host = hostOf(baseUrl)
  if (isThisMachine(baseUrl)) return false
  if (isIP(host)) return !isForbidden(host, [])
  return host.includes('.') && !/\.(local|lan|internal|home\.arpa)$/.test(host)
}
