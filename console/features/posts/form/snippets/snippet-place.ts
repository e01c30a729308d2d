import { useQuery } from '@tanstack/react-query'
import { fillVariables, valuesOf } from '../../../../../shared/text/variables'
import { accountsQuery } from '../../../accounts/queries'
import { useWorkspace } from '../../../workspaces/queries'
import type { Snippet, Variables } from './queries'

/** What a template has besides its text. */
export type TemplateParts = Pick<Snippet, 'account_ids' | 'labels' | 'first_comment'>

/** The post that snippets are inserted into. */
export type SnippetPost = {
  /** Time that the post is planned for, if there is one. */
  plannedAt: Date | undefined
  /** Takes over what a template has besides its text. Without it, the text alone is inserted. */
  onTemplate?: (parts: TemplateParts) => void
  /** The parts of the post that a new template begins with. */
  parts?: TemplateParts
}

/** One of its texts, with the accounts that get it. */
export type SnippetPlace = SnippetPost & { accounts: readonly { name: string }[] }

/** Fills in snippets for a place. */
export function useFillSnippet(place: SnippetPlace | undefined) {
  const { slug, name, timezone, locale } = useWorkspace()
  const known = useQuery(accountsQuery(slug)).data ?? []
  return (snippet: Snippet, { variables }: Variables) => {
    const own = place?.onTemplate ? snippet.account_ids.flatMap((id) => known.find((one) => one.id === id) ?? []) : []
    const values = valuesOf({
      workspace: { name, timezone, locale },
      variables,
      time: place?.plannedAt ?? new Date(),
      accounts: (own.length > 0 ? own : (place?.accounts ?? [])).map((account) => account.name),
    })
    // Line breaks as a text area has them.
    const fill = (text: string) => fillVariables(text, values).replace(/\r\n?/g, '\n')
    const { content, first_comment, account_ids, labels } = snippet
    return {
      content: fill(content),
      parts: { account_ids, labels, first_comment: first_comment === null ? null : fill(first_comment) },
    }
  }
}
