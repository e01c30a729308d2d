import type { RemoteAvatar } from '../network-account.ts'

/** The image of an account. `originKey`: the key of NETWORK_ORIGINS for images on the hosts of Meta. */
export function remoteAvatar(url: unknown, originKey: string): RemoteAvatar | undefined {
  if (typeof url !== 'string' || url === '') return undefined
  return /^https:\/\/[\w.-]+\.(cdninstagram\.com|fbcdn\.net)\//.test(url) ? { url, originKey } : { url }
}
