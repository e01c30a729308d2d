import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode, type Network, unwrap, workspaceApi } from '../../../../api'
import { problemMessage } from '../../../../ui/feedback/problem'
import type { Suggestion } from '../../../../ui/fields/SuggestionField'
import { useWorkspace } from '../../../workspaces/queries'
import type { PostDestination } from '../form-values'

/** Pause in writing after which networks are asked. */
const PAUSE_MS = 300
/** Characters from which networks are asked. */
const MIN_LENGTH = 2

const mentionablesQuery = (workspace: string, account: string, query: string) =>
  queryOptions({
    queryKey: ['mentionables', workspace, account, query],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          workspaceApi(workspace).GET('/api/v1/accounts/{id}/mentions', {
            params: { path: { id: account }, query: { query } },
            signal,
          }),
        )
      ).data,
    // As long as Meydan keeps the response.
    staleTime: 5 * 60_000,
    retry: false,
  })

/** An account whose network can be asked. */
export type MentionAccount = Pick<PostDestination, 'id' | 'network' | 'status'>

type MentionSearch = { account: MentionAccount; network: Network; query: string }

/**
 * Whom the networks of these accounts let a post mention by a name that is being written. One account of each network
 * is asked. Networks that find whole handles alone are asked once the user chooses so.
 */
export function useMentionOptions(
  name: string | undefined,
  accounts: readonly MentionAccount[],
  networks: readonly Network[],
) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [paused] = useDebouncedValue(name, PAUSE_MS)
  /** The searches that the user chose. */
  const [chosen, setChosen] = useState<string[]>([])
  const query = name ?? ''
  const keyOf = ({ account, query }: MentionSearch) => `${account.id} ${query}`
  const searchable: MentionSearch[] = networks.flatMap((network) => {
    const account = accounts.find((one) => one.network === network.id && one.status === 'connected')
    return account && network.mention_search ? [{ account, network, query }] : []
  })
  const searches = query.length < MIN_LENGTH ? [] : searchable
  const isAsked = (search: MentionSearch) =>
    search.network.mention_search === 'beginning' ? search.query === paused : chosen.includes(keyOf(search))
  const results = useQueries({
    queries: searches.map((search) => ({
      ...mentionablesQuery(slug, search.account.id, search.query),
      enabled: isAsked(search),
    })),
  })
  const found = searches.flatMap((search, index): Suggestion[] => {
    const { account, network } = search
    const group = network.name
    return (results[index]?.data ?? []).map(({ name, handle, text }) => ({
      id: `${account.id} ${text}`,
      group,
      text: `${text} `,
      label: <Mentionable name={name} handle={handle} />,
    }))
  })
  // Below what was found, so that the Enter key inserts something.
  const lookUps = searches
    .filter((search) => search.network.mention_search === 'handle' && !isAsked(search))
    .map((search): Suggestion => {
      const group = search.network.name
      return {
        id: keyOf(search),
        group,
        label: (
          <LookUp about={t('compose.mention_whole')}>
            {t('compose.mention_look_up', { name: query, network: group })}
          </LookUp>
        ),
        onChoose: () => setChosen((known) => [...known, keyOf(search)]),
      }
    })
  const options = [...found, ...lookUps]
  const isSearching = searches.some((search, index) =>
    isAsked(search) ? results[index]?.isPending : search.network.mention_search === 'beginning',
  )
  const failed = results.findIndex(({ error }) => error)
  const isForOthers = accounts.some(({ network }) => network !== searches[0]?.network.id)

  function failureOf(search: MentionSearch | undefined, error: unknown) {
    const network = search?.network.name ?? ''
    if (isCode(error, 'account_unreachable')) return t('compose.mention_unreachable', { network })
    if (isCode(error, 'account_refused')) return t('compose.mention_refused', { network })
    return `${network}: ${problemMessage(t, error)}`
  }

  function statusOf() {
    if (searchable.length === 0) return
    if (searches.length === 0) return t('compose.mention_begin')
    if (isSearching) return t('compose.mention_searching')
    if (failed >= 0) return failureOf(searches[failed], results[failed]?.error)
    if (options.length === 0) return t('compose.mention_none')
    return isForOthers && found.length > 0 ? t('compose.mention_elsewhere') : undefined
  }
  return { options, status: statusOf() }
}

const LookUp = ({ about, children }: { about: string; children: ReactNode }) => (
  <Group gap={8} wrap="nowrap">
    <Search size={16} aria-hidden="true" style={{ flexShrink: 0 }} />
    <div>
      {children}
      <Text fz="sm">{about}</Text>
    </div>
  </Group>
)

const Mentionable = ({ name, handle }: { name: string; handle: string }) => (
  <>
    <Text fw={550} truncate dir="auto">
      {name}
    </Text>
    {handle !== name && (
      <Text fz="sm" truncate dir="auto">
        @{handle}
      </Text>
    )}
  </>
)
