import type { MentionSearch } from '../network.ts'
import { callServer } from './repository.ts'

/** Handles that nobody has: the server could not confirm the one that the account claims. */
const INVALID = 'handle.invalid'

export const mentions: MentionSearch = {
  by: 'beginning',
  find: (deps, account, { query, max, timeoutMs }) =>
    callServer(deps, account, async (methods) => {
      const { data } = await methods.app.bsky.actor.searchActorsTypeahead(
        { q: query, limit: max },
        { signal: AbortSignal.timeout(timeoutMs) },
      )
      return data.actors
        .filter(({ handle }) => handle !== INVALID && /^[\w-]+(\.[\w-]+)+$/.test(handle))
        .map(({ handle, displayName }) => ({ name: displayName?.trim() || handle, handle, text: `@${handle}` }))
    }),
}
