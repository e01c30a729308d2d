import { fieldsOf, jsonOf } from '../calls/call.ts'
import type { MentionSearch } from '../network.ts'
import { ask } from './server.ts'

/** Finds accounts that the server knows. It asks no other server for them. */
export const mentions: MentionSearch = {
  by: 'beginning',
  find: async (deps, account, { query, max, timeoutMs }) => {
    const search = new URLSearchParams({ q: query, limit: String(max), resolve: 'false' })
    const found = jsonOf(await ask(deps, account, `/api/v1/accounts/search?${search}`, { timeoutMs }))
    // Accounts of the same server come without it. With it, the text names them on other servers too.
    const [, host] = account.account.handle.split('@')
    return (Array.isArray(found) ? found : []).map(fieldsOf).flatMap(({ acct, display_name }) => {
      if (typeof acct !== 'string' || !/^[\w.-]+(@[\w.:-]+)?$/.test(acct)) return []
      const handle = acct.includes('@') || host === undefined ? acct : `${acct}@${host}`
      const name = typeof display_name === 'string' && display_name.trim() !== '' ? display_name : acct
      return { name, handle, text: `@${handle}` }
    })
  },
}
