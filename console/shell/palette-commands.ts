import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  Building2,
  FileText,
  Keyboard,
  Languages,
  LayoutGrid,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  PenLine,
  Plus,
  Search,
  UserRound,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { schemes } from '../features/auth/AccountMenu'
import { useChooseLanguage, useSignOut } from '../features/auth/mutations'
import { useMe } from '../features/auth/queries'
import { useHasBilling } from '../features/billing/queries'
import { postsQuery } from '../features/posts/queries'
import { useOpenComposePanel } from '../features/posts/useOpenComposePanel'
import { isAtLeast, useCurrentWorkspace, workspacesQuery } from '../features/workspaces/queries'
import { useSwitchWorkspace } from '../features/workspaces/WorkspaceSwitcher'
import { currentLanguage, type Language, languages, translateDynamic } from '../i18n'
import { instanceEntries, workspaceEntries } from '../navigation'

export type Command = {
  id: string
  label: string
  /** Other words that find it, separated by spaces. */
  synonyms?: string
  /** Shown at the end of the line. */
  detail?: string
  icon: LucideIcon
  run: () => unknown
}
export type CommandGroup = { name: string; commands: Command[] }

/** Everything that needs no search. A group without commands is omitted. */
export function useCommandGroups(openShortcuts: () => void): CommandGroup[] {
  const { t } = useTranslation()
  return [
    { name: t('palette.actions'), commands: useComposeCommand() },
    { name: t('palette.pages'), commands: useWorkspacePages() },
    { name: t('pages.instance'), commands: useInstancePages() },
    { name: t('palette.workspaces'), commands: useWorkspaces() },
    { name: t('palette.settings'), commands: useAccountCommands() },
    { name: t('palette.help'), commands: useHelp(openShortcuts) },
  ]
}

/** A function that returns the synonyms of a page or action, by the last part of its text key. */
function useSynonyms() {
  const { t } = useTranslation()
  return (key: string) => translateDynamic(t, `synonyms.${key.split('.').at(-1)}`, '')
}

function useComposeCommand(): Command[] {
  const { t } = useTranslation()
  const synonyms = useSynonyms()
  const openPanel = useOpenComposePanel()
  const workspace = useCurrentWorkspace()
  if (!workspace || !isAtLeast(workspace, 'author')) return []
  return [
    {
      id: 'compose',
      label: t('shell.new_post'),
      synonyms: synonyms('new_post'),
      icon: PenLine,
      run: () => openPanel(workspace),
    },
  ]
}

function useWorkspacePages(): Command[] {
  const { t } = useTranslation()
  const synonyms = useSynonyms()
  const navigate = useNavigate()
  const workspace = useCurrentWorkspace()
  const hasBilling = useHasBilling(workspace)
  if (!workspace) return []
  const params = { workspace: workspace.slug }
  return workspaceEntries(workspace, hasBilling).map(({ to, label, icon }) => ({
    id: to,
    label: t(label),
    synonyms: synonyms(label),
    icon,
    run: () => navigate({ to, params }),
  }))
}

function useInstancePages(): Command[] {
  const { t } = useTranslation()
  const synonyms = useSynonyms()
  const navigate = useNavigate()
  const { is_instance_admin } = useMe()
  if (!is_instance_admin) return []
  return instanceEntries.map(({ to, label, icon }) => ({
    id: to,
    label: t(label),
    synonyms: synonyms(label),
    icon,
    run: () => navigate({ to }),
  }))
}

function useWorkspaces(): Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const current = useCurrentWorkspace()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const switchTo = useSwitchWorkspace()
  const others = workspaces.filter(({ id }) => id !== current?.id)
  return [
    ...others.map((other) => ({
      id: other.id,
      label: other.name,
      icon: Building2,
      run: () => switchTo(other),
    })),
    ...(others.length > 0
      ? [
          {
            id: 'all-workspaces',
            label: t('pages.all_workspaces'),
            icon: LayoutGrid,
            run: () => navigate({ to: '/workspaces' }),
          },
        ]
      : []),
    { id: 'new-workspace', label: t('workspace.new'), icon: Plus, run: () => navigate({ to: '/new-workspace' }) },
  ]
}

function useAccountCommands(): Command[] {
  const { t } = useTranslation()
  const synonyms = useSynonyms()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const leave = useSignOut()
  const choose = useChooseLanguage()
  const page = (key: 'profile' | 'sessions', icon: LucideIcon, to: '/profile' | '/profile/sessions') => ({
    id: key,
    label: t(`pages.${key}`),
    synonyms: synonyms(key),
    icon,
    run: () => navigate({ to }),
  })
  return [
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      id: scheme,
      label: `${t('account_menu.appearance')}: ${t(`account_menu.${scheme}`)}`,
      synonyms: synonyms('appearance'),
      icon: schemes[scheme],
      run: () => setColorScheme(scheme),
    })),
    ...(Object.keys(languages) as Language[])
      .filter((language) => language !== currentLanguage())
      .map((language) => ({
        id: language,
        label: languages[language],
        synonyms: synonyms('language'),
        icon: Languages,
        run: () => choose.mutate(language),
      })),
    page('profile', UserRound, '/profile'),
    page('sessions', MonitorSmartphone, '/profile/sessions'),
    {
      id: 'sign-out',
      label: t('account_menu.sign_out'),
      synonyms: synonyms('sign_out'),
      icon: LogOut,
      run: () => leave.mutate(),
    },
  ]
}

const guides = ['start', 'api', 'webhooks'] as const

function useHelp(openShortcuts: () => void): Command[] {
  const { t } = useTranslation()
  const synonyms = useSynonyms()
  const doc = (id: string, label: string, path: string) => ({
    id,
    label,
    synonyms: synonyms('docs'),
    icon: BookOpen,
    run: () => window.open(path, '_blank', 'noopener'),
  })
  return [
    doc('reference', t('palette.reference'), '/docs'),
    ...guides.map((name) => doc(`guide-${name}`, t(`guides.${name}`), `/docs/guides/${name}`)),
    {
      id: 'shortcuts',
      label: t('shortcuts.title'),
      synonyms: synonyms('shortcuts'),
      icon: Keyboard,
      run: openShortcuts,
    },
  ]
}

const MAX_POSTS = 5

/** Posts that contain the text, and the search for all of them. */
export function useFoundPosts(text: string): CommandGroup {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const workspace = useCurrentWorkspace()
  // Each search costs the server some work.
  const [search] = useDebouncedValue(text, 250)
  const isSearching = workspace !== undefined && text.length > 1 && search.length > 1
  const posts = useInfiniteQuery({
    ...postsQuery(workspace?.slug ?? '', { search }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  })
  const name = t('pages.posts')
  if (!workspace || !text) return { name, commands: [] }
  const params = { workspace: workspace.slug }
  const found = (isSearching && posts.data?.pages[0]?.data) || []
  return {
    name,
    commands: [
      ...found.slice(0, MAX_POSTS).map(({ id, content, status }) => ({
        id,
        label: content.replace(/\s+/g, ' ').slice(0, 100),
        detail: t(`status.${status}`),
        icon: FileText,
        run: () => navigate({ to: '/w/$workspace/posts/$post', params: { ...params, post: id } }),
      })),
      {
        id: 'search',
        label: t('palette.search_posts', { text }),
        icon: Search,
        run: () => navigate({ to: '/w/$workspace/posts', params, search: { search: text } }),
      },
    ],
  }
}
