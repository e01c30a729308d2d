import '@mantine/spotlight/styles.layer.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
} from '@mantine/spotlight'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldCase } from '../ui/navigation/search-params'
import {
  useAccountActions,
  useComposeActions,
  useInstancePageActions,
  usePostSearchActions,
  useWorkspaceActions,
  useWorkspacePageActions,
} from './palette-actions'

const [store, spotlight] = createSpotlight()

const filter: SpotlightFilterFunction = (query, groups) =>
  groups.flatMap((group) => {
    if (!('actions' in group)) return []
    const actions = group.actions.filter(({ label = '' }) => foldCase(label).includes(foldCase(query.trim())))
    return actions.length ? [{ ...group, actions }] : []
  })

/** Finds every page and every common action by a part of its name. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  useEffect(spotlight.open, [])
  const groups: SpotlightActionGroupData[] = [
    { group: t('palette.actions'), actions: useComposeActions() },
    { group: t('palette.pages'), actions: useWorkspacePageActions() },
    { group: t('pages.instance'), actions: useInstancePageActions() },
    { group: t('palette.workspaces'), actions: useWorkspaceActions() },
    { group: t('palette.settings'), actions: useAccountActions() },
    // Last: it matches every query, and Enter takes the first.
    { group: t('pages.posts'), actions: usePostSearchActions(query.trim()) },
  ]
  return (
    <Spotlight
      store={store}
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      filter={filter}
      shortcut={null}
      // Centered, it would jump when its list shrinks.
      centered={false}
      yOffset="12vh"
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={t('ui.nothing_found')}
      attributes={{ content: { 'aria-label': t('shell.palette') } }}
      searchProps={{
        leftSection: <Search size={18} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('shell.palette'),
      }}
    />
  )
}
