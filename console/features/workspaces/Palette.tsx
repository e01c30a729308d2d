import '@mantine/spotlight/styles.layer.css'
import { useMantineColorScheme } from '@mantine/core'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
} from '@mantine/spotlight'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Languages, LogOut, MonitorSmartphone, PenLine, Plus, Search, UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, type Language, languages } from '../../i18n'
import { fold } from '../../ui/search'
import { schemes } from '../auth/AccountMenu'
import { useChooseLanguage, useSignOut } from '../auth/acts'
import { useMe } from '../auth/queries'
import { isAtLeast, useCurrentWorkspace, workspacesQuery } from './queries'
import { instanceRooms, roomsOf } from './Shell'
import { useSwitchWorkspace } from './WorkspaceSwitcher'

const [store, spotlight] = createSpotlight()

const filter: SpotlightFilterFunction = (query, groups) =>
  groups.flatMap((group) => {
    if (!('actions' in group)) return []
    const actions = group.actions.filter(({ label = '' }) => fold(label).includes(fold(query.trim())))
    return actions.length ? [{ ...group, actions }] : []
  })

/** Every place and every common act, by typing a part of its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const me = useMe()
  const workspace = useCurrentWorkspace()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const switchTo = useSwitchWorkspace()
  const { setColorScheme } = useMantineColorScheme()
  const leave = useSignOut()
  const choose = useChooseLanguage()
  const [query, setQuery] = useState('')
  useEffect(spotlight.open, [])

  const params = { workspace: workspace?.slug ?? '' }
  const action = (id: string, label: string, Icon: typeof Search, onClick: () => unknown): SpotlightActionData => ({
    id,
    label,
    leftSection: <Icon size={18} />,
    onClick: () => void onClick(),
  })
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('palette.acts'),
      actions: [
        ...(workspace && isAtLeast(workspace, 'author')
          ? [action('compose', t('shell.new_post'), PenLine, () => navigate({ to: '/w/$workspace/posts/new', params }))]
          : []),
      ],
    },
    {
      group: t('palette.rooms'),
      actions: [
        ...(workspace
          ? roomsOf(workspace).map(({ to, key, icon }) =>
              action(key, t(`rooms.${key}`), icon, () => navigate({ to, params })),
            )
          : []),
        ...(me.is_instance_admin
          ? instanceRooms.map(({ to, key, icon }) => action(key, t(`rooms.${key}`), icon, () => navigate({ to })))
          : []),
      ],
    },
    {
      group: t('palette.workspaces'),
      actions: [
        ...workspaces
          .filter(({ id }) => id !== workspace?.id)
          .map((other) => action(other.id, other.name, Building2, () => switchTo(other))),
        action('new-workspace', t('workspace.new'), Plus, () => navigate({ to: '/new-workspace' })),
      ],
    },
    {
      group: t('palette.settings'),
      actions: [
        ...(['light', 'dark', 'auto'] as const).map((scheme) =>
          action(scheme, `${t('account_menu.appearance')}: ${t(`account_menu.${scheme}`)}`, schemes[scheme], () =>
            setColorScheme(scheme),
          ),
        ),
        ...(Object.keys(languages) as Language[])
          .filter((language) => language !== currentLanguage())
          .map((language) => action(language, languages[language], Languages, () => choose.mutate(language))),
        action('profile', t('rooms.profile'), UserRound, () => navigate({ to: '/profile' })),
        action('sessions', t('rooms.sessions'), MonitorSmartphone, () => navigate({ to: '/profile/sessions' })),
        action('sign-out', t('account_menu.sign_out'), LogOut, () => leave.mutate()),
      ],
    },
    // Last: it matches whatever is typed, and Enter takes the first.
    {
      group: t('rooms.posts'),
      actions:
        workspace && query.trim()
          ? [
              action('search', t('palette.search_posts', { text: query.trim() }), Search, () =>
                navigate({ to: '/w/$workspace/posts', params, search: { search: query.trim() } }),
              ),
            ]
          : [],
    },
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
      // In the middle it would jump as its list shrinks.
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
