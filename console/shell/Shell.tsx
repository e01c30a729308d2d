import '../theme/components'
import { AppShell, Burger, Group, Loader, MantineThemeProvider, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Workspace, workspaceBySlug } from '../api'
import { AccountsBanner } from '../features/accounts/health/AccountsBanner'
import { MeContext, meQuery, useMe } from '../features/auth/queries'
import { SessionEndedDialog } from '../features/auth/SessionEndedDialog'
import { BillingBanner } from '../features/billing/BillingBanner'
import { HoldBanner } from '../features/installation/HoldBanner'
import { Bell } from '../features/notifications/Bell'
import { usePulse } from '../features/notifications/change-check'
import { stopFollowing } from '../features/posts/following'
import { useOpenComposePanel } from '../features/posts/useOpenComposePanel'
import {
  findWorkspace,
  isAtLeast,
  lastWorkspace,
  useCurrentWorkspace,
  WorkspaceContext,
  workspacesQuery,
} from '../features/workspaces/queries'
import { WorkspacePicture } from '../features/workspaces/WorkspacePicture'
import { WorkspaceShortcuts } from '../features/workspaces/WorkspaceSwitcher'
import { WorkspaceUnavailable } from '../features/workspaces/WorkspaceUnavailable'
import { languageOf, setLanguage } from '../i18n'
import { loadCode } from '../load-code'
import { InsideMainContext } from '../ui/feedback/error-pages'
import { useShortcut } from '../ui/focus/shortcuts'
import { Logo } from '../ui/layout/Logo'
import { ConnectionStatus } from './ConnectionStatus'
import { BottomBar } from './navigation/BottomBar'
import { Sidebar } from './navigation/Sidebar'
import { type SidebarMenu, useSidebarMenu } from './navigation/useSidebarMenu'
import classes from './Shell.module.css'

const CommandPalette = lazy(() => loadCode(import('./CommandPalette')))
const ShortcutsDialog = lazy(() => loadCode(import('./ShortcutsDialog')))

/** The frame around every signed-in page: header, sidebar and account menu. */
export function Shell() {
  const me = useSuspenseQuery(meQuery).data
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const { workspace: named } = useParams({ strict: false })
  const workspace = named === undefined ? lastWorkspace(workspaces, me) : findWorkspace(workspaces, named)
  const lost = workspace || named === undefined ? undefined : workspaceBySlug.get(named)
  useRenamedAddress(named, workspace)
  // Chosen in another tab or browser.
  useEffect(() => void setLanguage(languageOf(me.locale)), [me.locale])
  return (
    <MeContext value={me}>
      <WorkspaceContext value={workspace}>
        <ShellLayout lost={lost} />
        <SessionEndedDialog me={me} />
      </WorkspaceContext>
    </MeContext>
  )
}

/** Replaces the slug in the address after the workspace is renamed. */
function useRenamedAddress(named: string | undefined, workspace: Workspace | undefined) {
  const { history } = useRouter()
  const slug = workspace?.slug
  const renamed = named !== undefined && slug !== undefined && named !== slug && named !== workspace?.id
  useEffect(() => {
    const { pathname, search, hash } = location
    const old = `/w/${named}`
    if (renamed && pathname.startsWith(old))
      history.replace(`/w/${slug}${pathname.slice(old.length)}${search}${hash}`, undefined, { ignoreBlocker: true })
  }, [renamed, named, slug, history])
}

/** `lost`: the workspace in the address, which the user can no longer open. */
function ShellLayout({ lost }: { lost: Workspace | undefined }) {
  const { t } = useTranslation()
  const workspace = useCurrentWorkspace()
  const isInstance = useIsInstance()
  const menu = useSidebarMenu()
  const [isPaletteOpen, palette] = useDisclosure(false)
  const compose = useCompose(workspace)
  const [isListingShortcuts, shortcuts] = useDisclosure(false)
  useShortcut('mod+K', t('shell.palette'), palette.open)
  useShortcut('C', t('shell.new_post'), compose)
  useShortcut('shift+?', t('shortcuts.title'), shortcuts.open)
  return (
    <AppShell
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !menu.isOpen } }}
      padding={0}
      layout="alt"
      classNames={{ main: classes.main, header: classes.header }}
    >
      <a href="#main" className={classes.skip}>
        {t('shell.skip')}
      </a>
      {!isInstance && <WorkspaceShortcuts />}
      <MobileHeader isInstance={isInstance} menu={menu} />
      <Sidebar isInstance={isInstance} menu={menu} compose={compose} openPalette={palette.open} />
      <AppShell.Main id="main" tabIndex={-1}>
        <ConnectionStatus />
        <HoldBanner />
        {workspace && !isInstance && <BillingBanner workspace={workspace} />}
        {workspace && !isInstance && <AccountsBanner workspace={workspace} />}
        <RouteAnnouncer />
        <div className={classes.page}>
          <Suspense fallback={<Loader m="xl" aria-label={t('ui.loading')} />}>
            <InsideMainContext value={true}>
              {lost ? <WorkspaceUnavailable workspace={lost} /> : <Outlet />}
            </InsideMainContext>
          </Suspense>
        </div>
      </AppShell.Main>
      <BottomBar compose={compose} openMenu={menu.open} />
      <ShellNotifications />
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={palette.close} openShortcuts={shortcuts.open} />
        </Suspense>
      )}
      {isListingShortcuts && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={shortcuts.close} />
        </Suspense>
      )}
      <PulsePolling key={workspace?.slug} workspace={workspace} />
    </AppShell>
  )
}

/** Whether the page belongs to this installation rather than to a workspace. */
function useIsInstance() {
  const isBelow = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') })
  return useMe().is_instance_admin && isBelow
}

/** Opens the form for a new post. undefined: the user may not write posts in the workspace. */
function useCompose(workspace: Workspace | undefined) {
  const openPanel = useOpenComposePanel()
  if (!workspace || !isAtLeast(workspace, 'author')) return undefined
  return () => openPanel(workspace)
}

type MobileHeaderProps = { isInstance: boolean; menu: SidebarMenu }

function MobileHeader({ isInstance, menu }: MobileHeaderProps) {
  const { t } = useTranslation()
  const workspace = useCurrentWorkspace()
  return (
    <AppShell.Header hiddenFrom="sm">
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Burger
            ref={menu.opener}
            opened={menu.isOpen}
            onClick={menu.toggle}
            size="sm"
            aria-label={t('shell.menu')}
            aria-expanded={menu.isOpen}
          />
          {workspace && !isInstance ? <WorkspacePicture workspace={workspace} /> : <Logo size={26} />}
          <Text fw={650} truncate>
            {isInstance ? t('pages.instance') : (workspace?.name ?? 'Meydan')}
          </Text>
        </Group>
        <Bell />
      </Group>
    </AppShell.Header>
  )
}

/** After navigation, focuses the content of the page and announces its title to screen readers. */
function RouteAnnouncer() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  const [title, setTitle] = useState('')
  useEffect(() => {
    const moved = before.current !== undefined && before.current !== path
    before.current = path
    if (!moved) return
    const main = document.getElementById('main')
    // A focused field keeps the focus.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [path])
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>
}

function ShellNotifications() {
  const { t } = useTranslation()
  // The theme is the only way to label the button that closes a notification.
  const closable = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('ui.close') } } } } }),
    [t],
  )
  return (
    <MantineThemeProvider theme={closable}>
      <Notifications
        position="bottom-center"
        limit={3}
        // Below dialogs, so that it does not cover their buttons.
        zIndex={190}
        classNames={{ root: classes.notifications, notification: classes.notification }}
      />
    </MantineThemeProvider>
  )
}

function PulsePolling({ workspace }: { workspace: Workspace | undefined }) {
  usePulse(workspace)
  const slug = workspace?.slug
  useEffect(() => () => void (slug && stopFollowing(slug)), [slug])
  return null
}
