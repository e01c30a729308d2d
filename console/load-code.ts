import { api, unwrap } from './api'

/** Code of the console that could not be loaded. For the browser's own error, the router would reload the page. */
export class MissingCodeError extends Error {}

export const loadCode = <Code>(code: Promise<Code>): Promise<Code> =>
  code.catch((cause: unknown) => {
    throw new MissingCodeError('This part of the console could not be loaded.', { cause })
  })

/** Finds the files of a new version. Does nothing while Meydan does not respond: a reload would lose the page. */
export async function reloadIfReachable() {
  const isReachable = await unwrap(api.GET('/api/v1/instance')).then(
    () => true,
    () => false,
  )
  if (isReachable) location.reload()
}
