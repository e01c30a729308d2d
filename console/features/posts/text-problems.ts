import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { countCharacters } from '../../../shared/text/counting'
import type { Post } from '../../api'
import { messageInLanguage } from '../../ui/feedback/problem'
import { useFormat } from '../../ui/text/format'
import { accountsQuery } from '../accounts/queries'
import { type AccountRules, capabilitiesOf, maxLengthOf } from '../networks/characters'
import { useNetworks } from '../networks/queries'
import { useWorkspace } from '../workspaces/queries'

type Texts = Pick<Post, 'content' | 'media_ids' | 'thread' | 'first_comment'>

/** The text at a path, and whether files stand beside it. */
function textAt({ content, media_ids, thread, first_comment }: Texts, path: string) {
  if (path === 'content') return { text: content, hasMedia: media_ids.length > 0 }
  if (path === 'first_comment') return { text: first_comment ?? '', hasMedia: false }
  const part = /^thread\/(\d+)\/content$/.exec(path)?.[1]
  const found = part === undefined ? undefined : thread[Number(part)]
  return found && { text: found.content, hasMedia: found.media_ids.length > 0 }
}

/**
 * Says what the first of these accounts does not take in a text, in the language of the user. `path`: `content`,
 * `thread`, `thread/0/content` or `first_comment`.
 */
export function textProblem(
  t: TFunction,
  number: (value: number) => string,
  texts: Texts,
  path: string,
  accounts: AccountRules[],
) {
  const found = textAt(texts, path)
  for (const rules of accounts) {
    const network = rules.name
    if (path === 'thread' && texts.thread.length >= rules.max_parts)
      return rules.max_parts === 1
        ? t('compose.no_threads', { network })
        : t('compose.too_many_parts', { network, limit: number(rules.max_parts) })
    if (path === 'first_comment' && !rules.first_comment) return t('compose.no_comment', { network })
    if (/media_ids(\/\d+)?$/.test(path) && !rules.media) return t('compose.no_media', { network })
    if (!found) continue
    const { text, hasMedia } = found
    const limit = maxLengthOf(rules, hasMedia)
    if (limit === 0 && text.trim() !== '') return t('compose.no_text_taken', { network })
    if (text.trim() === '' && !hasMedia) return t('compose.no_text', { network })
    const length = countCharacters(text, rules)
    if (length > limit) return t('compose.too_long', { network, limit: number(limit), length: number(length) })
  }
  return undefined
}

/** Returns the text of a warning of a draft in the language of the user. */
export function useWarningTexts(post: Post) {
  const { t } = useTranslation()
  const format = useFormat()
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug)).data
  const networks = useNetworks().data ?? []
  return (warning: Post['warnings'][number]) => {
    const { pointer } = warning
    const [, index, rest] = /^\/targets(?:\/(\d+))?(?:\/(.+))?$/.exec(pointer) ?? []
    const target = index === undefined ? undefined : post.targets[Number(index)]
    if (pointer.startsWith('/targets') && !target) return t('compose.no_target')
    if (target && rest === undefined) return t('compose.lost_target', { handle: target.handle })
    const path = rest ?? pointer.slice(1)
    const field = path.split('/', 1)[0] as keyof Texts
    const concerned = target ? [target] : post.targets.filter((one) => one[field] === null)
    const rules = concerned.flatMap(({ account_id, network, options }) => {
      const account = accounts?.find(({ id }) => id === account_id)
      return capabilitiesOf({ network, limits: account?.limits ?? {}, options }, networks) ?? []
    })
    const texts = {
      content: target?.content ?? post.content,
      media_ids: target?.media_ids ?? post.media_ids,
      thread: target?.thread ?? post.thread,
      first_comment: target?.first_comment ?? post.first_comment,
    }
    return textProblem(t, format.number, texts, path, rules) ?? messageInLanguage(warning) ?? warning.message
  }
}
