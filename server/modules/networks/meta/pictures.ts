import type { RemotePicture } from '../network-account.ts'

/** The picture of an account. `originKey`: of pictures on the hosts of Meta. */
export function pictureOf(url: unknown, originKey: string): RemotePicture | undefined {
  if (typeof url !== 'string' || url === '') return undefined
  return /^https:\/\/[\w.-]+\.(cdninstagram\.com|fbcdn\.net)\//.test(url) ? { url, originKey } : { url }
}
