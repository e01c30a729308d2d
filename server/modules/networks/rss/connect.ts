import { randomBytes } from 'node:crypto'
import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { ConnectedAccount } from '../network-account.ts'
import { httpUrl } from '../text/http-url.ts'
import { feedUrl } from './feed.ts'

/** Makes a feed. Its texts are kept in the form of the account. */
export async function connect(
  deps: Deps,
  { title = '', description = '', language = 'en', link }: Record<string, string>,
): Promise<ConnectedAccount> {
  if (!title.trim() || title.length > 200)
    throw invalid('/title', {
      en: 'The title must have 1 to 200 characters.',
      tr: 'Ad 1 ile 200 karakter arasında olmalı.',
    })
  if (description.length > 1000)
    throw invalid('/description', {
      en: 'The description must have at most 1,000 characters.',
      tr: 'Açıklama en çok 1.000 karakter olabilir.',
    })
  if (!/^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(language))
    throw invalid('/language', { en: 'This is not a language such as en.', tr: 'Bu, tr gibi bir dil kodu değil.' })
  if (link !== undefined && (link.length > 1000 || httpUrl(link) === null))
    throw invalid('/link', {
      en: 'This is not an address such as https://example.org.',
      tr: 'Bu, https://example.org gibi bir adres değil.',
    })
  const id = randomBytes(18).toString('base64url')
  const url = feedUrl(deps, id)
  return { external_id: id, name: title, handle: title.trim(), url, credentials: null }
}
