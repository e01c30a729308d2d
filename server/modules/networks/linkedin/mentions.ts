import { toMentionById } from '../../../../shared/text/mentions.ts'
import { quoted } from '../../../lib/text.ts'
import { fieldsOf } from '../calls/call.ts'
import type { MentionSearch } from '../network.ts'
import { withToken } from '../oauth/with-token.ts'
import { askFields, inPath } from './api.ts'

const isId = (id: unknown) => Number.isSafeInteger(id) || (typeof id === 'string' && /^\d{1,20}$/.test(id))

/** Finds a page by the name in its address. LinkedIn lets nobody search by a part of it. */
export const mentions: MentionSearch = {
  by: 'handle',
  find: async (deps, account, { query, timeoutMs }) => {
    if (!/^[\p{L}\p{N}-]+$/u.test(query)) return []
    const path = `/rest/organizations?q=vanityName&vanityName=${inPath(query)}`
    const headers = { 'x-restli-method': 'FINDER' }
    const { elements } = await withToken(account, (token) => askFields(deps, token, { path, headers, timeoutMs }))
    return (Array.isArray(elements) ? elements : []).map(fieldsOf).flatMap(({ id, localizedName, vanityName }) =>
      typeof localizedName === 'string' && /[^[\]\s]/.test(localizedName) && isId(id)
        ? {
            name: localizedName,
            handle: typeof vanityName === 'string' ? vanityName : query,
            text: toMentionById(quoted(localizedName, 100), `urn:li:organization:${id}`),
          }
        : [],
    )
  },
}
