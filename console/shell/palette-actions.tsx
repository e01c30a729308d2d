import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Building2,
  Languages,
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
import { isAtLeast, useCurrentWorkspace, workspacesQuery } from '../features/workspaces/queries'
import { useSwitchWorkspace } from '../features/workspaces/WorkspaceSwitcher'
import { currentLanguage, type Language, languages } from '../i18n'
import { instanceEntries, workspaceEntries } from '../navigation'

const action = (id: string, label: string, Icon: LucideIcon, onClick: () => unknown): SpotlightActionData => ({
  id,
  label,
  leftSection: <Icon size={18} />,
  onClick: () => void onClick(),
})

export function useComposeActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const workspace = useCurrentWorkspace()
  if (!workspace || !isAtLeast(workspace, 'author')) return []
  const params = { workspace: workspace.slug }
  return [action('compose', t('shell.new_post'), PenLine, () => navigate({ to: '/w/$workspace/posts/new', params }))]
}

export function useWorkspacePageActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const workspace = useCurrentWorkspace()
  if (!workspace) return []
  const params = { workspace: workspace.slug }
  return workspaceEntries(workspace).map(({ to, label, icon }) =>
    action(to, t(label), icon, () => navigate({ to, params })),
  )
}

export function useInstancePageActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { is_instance_admin } = useMe()
  return is_instance_admin
    ? instanceEntries.map(({ to, label, icon }) => action(to, t(label), icon, () => navigate({ to })))
    : []
}

export function useWorkspaceActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const current = useCurrentWorkspace()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const switchTo = useSwitchWorkspace()
  return [
    ...workspaces
      .filter(({ id }) => id !== current?.id)
      .map((other) => action(other.id, other.name, Building2, () => switchTo(other))),
    action('new-workspace', t('workspace.new'), Plus, () => navigate({ to: '/new-workspace' })),
  ]
}

export function useAccountActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const leave = useSignOut()
  const choose = useChooseLanguage()
  return [
    ...(['light', 'dark', 'auto'] as const).map((scheme) =>
      action(scheme, `${t('account_menu.appearance')}: ${t(`account_menu.${scheme}`)}`, schemes[scheme], () =>
        setColorScheme(scheme),
      ),
    ),
    ...(Object.keys(languages) as Language[])
      .filter((language) => language !== currentLanguage())
      .map((language) => action(language, languages[language], Languages, () => choose.mutate(language))),
    action('profile', t('pages.profile'), UserRound, () => navigate({ to: '/profile' })),
    action('sessions', t('pages.sessions'), MonitorSmartphone, () => navigate({ to: '/profile/sessions' })),
    action('sign-out', t('account_menu.sign_out'), LogOut, () => leave.mutate()),
  ]
}

export function usePostSearchActions(text: string) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const workspace = useCurrentWorkspace()
  if (!workspace || !text) return []
  const params = { workspace: workspace.slug }
  return [
    action('search', t('palette.search_posts', { text }), Search, () =>
      navigate({ to: '/w/$workspace/posts', params, search: { search: text } }),
    ),
  ]
}
