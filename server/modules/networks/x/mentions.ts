import type { MentionSearch } from '../network.ts'
import { askData } from './api.ts'
import { asAccount } from './authorization.ts'

/** Finds a user by the whole name: X bills each user that a search returns. */
export const mentions: MentionSearch = {
  by: 'handle',
  find: async (deps, account, { query, timeoutMs }) => {
    if (!/^\w{1,15}$/.test(query)) return []
    const request = { path: `/2/users/by/username/${query}`, timeoutMs }
    const { username, name } = await asAccount(deps, account, (authorize) => askData(deps, authorize, request))
    if (typeof username !== 'string' || !/^\w{1,20}$/.test(username)) return []
    return [{ name: typeof name === 'string' ? name : username, handle: username, text: `@${username}` }]
  },
}
