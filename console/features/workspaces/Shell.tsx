import '@mantine/notifications/styles.layer.css'
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Divider,
  Group,
  Kbd,
  Loader,
  MantineThemeProvider,
  NavLink,
  Text,
  Tooltip,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { onlineManager, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import {
  CalendarDays,
  CircleAlert,
  CirclePlay,
  House,
  Inbox,
  KeyRound,
  List,
  type LucideIcon,
  MailOpen,
  PenLine,
  ScrollText,
  Search,
  Settings,
  Share2,
  SlidersHorizontal,
  Sparkles,
  Tags,
  UserCog,
  Users,
  Webhook,
  WifiOff,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { shownAs, unanswered, type Workspace } from '../../api'
import { languageOf, setLanguage } from '../../i18n'
import { useFlag } from '../../ui/flag'
import { Mark } from '../../ui/Mark'
import { InMain } from '../../ui/screens'
import { useLetterKeys } from '../../ui/useLetterKeys'
import { AccountMenu } from '../auth/AccountMenu'
import { MeContext, meQuery, useMe } from '../auth/queries'
import { SessionOver } from '../auth/SessionOver'
import { useLivePosts } from '../posts/live'
import { needsCare, webhooksQuery } from '../webhooks/queries'
import { LostWorkspace } from './LostWorkspace'
import { findWorkspace, isAtLeast, useCurrentWorkspace, WorkspaceContext, workspacesQuery } from './queries'
import classes from './Shell.module.css'
import { WorkspaceSwitcher } from './WorkspaceSwitcher'

const Palette = lazy(() => import('./Palette'))

type Room = { to: string; key: string; icon: LucideIcon; exact: boolean }

const work = [
  { to: '/w/$workspace', key: 'overview', icon: House, exact: true },
  { to: '/w/$workspace/calendar', key: 'calendar', icon: CalendarDays, exact: false },
  { to: '/w/$workspace/posts', key: 'posts', icon: List, exact: false },
  { to: '/w/$workspace/accounts', key: 'accounts', icon: Share2, exact: false },
  { to: '/w/$workspace/playground', key: 'playground', icon: CirclePlay, exact: false },
  { to: '/w/$workspace/webhooks', key: 'webhooks', icon: Webhook, exact: false },
] as const satisfies Room[]

const office = [
  { to: '/w/$workspace/members', key: 'members', icon: Users, exact: false },
  { to: '/w/$workspace/tokens', key: 'tokens', icon: KeyRound, exact: false },
  { to: '/w/$workspace/audit-log', key: 'audit_log', icon: ScrollText, exact: false },
  { to: '/w/$workspace/settings', key: 'settings', icon: Settings, exact: false },
] as const satisfies Room[]

/** What instance admins look after, whatever the workspace. */
export const instanceRooms = [
  { to: '/admin/options', key: 'options', icon: SlidersHorizontal, exact: false },
  { to: '/admin/ai-models', key: 'ai_models', icon: Sparkles, exact: false },
  { to: '/admin/plans', key: 'plans', icon: Tags, exact: false },
  { to: '/admin/email-templates', key: 'email_templates', icon: MailOpen, exact: false },
  { to: '/admin/outbox', key: 'outbox', icon: Inbox, exact: false },
  { to: '/admin/users', key: 'users', icon: UserCog, exact: false },
  { to: '/admin/audit-log', key: 'instance_audit_log', icon: ScrollText, exact: false },
] as const satisfies Room[]

const isOpen = (workspace: Workspace, { key }: Room) => key !== 'audit_log' || isAtLeast(workspace, 'admin')

/** The rooms of a workspace that who is signed in may enter. */
export const roomsOf = (workspace: Workspace) => [...work, ...office].filter((room) => isOpen(workspace, room))

/** What stands around every room: where one is, where one can go, who one is. */
export function Shell() {
  const me = useSuspenseQuery(meQuery).data
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const { workspace: named } = useParams({ strict: false })
  const workspace =
    named === undefined
      ? (workspaces.find(({ id }) => id === me.workspace_id) ?? workspaces[0])
      : findWorkspace(workspaces, named)
  const lost = workspace || named === undefined ? undefined : shownAs.get(named)
  const { history } = useRouter()
  const slug = workspace?.slug
  const renamed = named !== undefined && slug !== undefined && named !== slug && named !== workspace?.id
  // Another short name was chosen meanwhile.
  useEffect(() => {
    const { pathname, search, hash } = location
    const old = `/w/${named}`
    if (renamed && pathname.startsWith(old))
      history.replace(`/w/${slug}${pathname.slice(old.length)}${search}${hash}`, undefined, { ignoreBlocker: true })
  }, [renamed, named, slug, history])
  // Chosen in another tab or browser.
  useEffect(() => void setLanguage(languageOf(me.locale)), [me.locale])
  return (
    <MeContext value={me}>
      <WorkspaceContext value={workspace}>
        <Frame lost={lost} />
        <SessionOver me={me} />
      </WorkspaceContext>
    </MeContext>
  )
}

/** `lost`: the workspace of the address, which is no longer there for who is signed in. */
function Frame({ lost }: { lost: Workspace | undefined }) {
  const { t } = useTranslation()
  const workspace = useCurrentWorkspace()
  const [menuOpen, menu] = useDisclosure(false)
  const opener = useRef<HTMLButtonElement>(null)
  const closer = useRef<HTMLButtonElement>(null)
  const closeMenu = () => {
    menu.close()
    opener.current?.focus()
  }
  // A notification's button has a label of its own only from the theme.
  const closable = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('ui.close') } } } } }),
    [t],
  )
  const [paletteOpen, palette] = useDisclosure(false)
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const mayWrite = workspace !== undefined && isAtLeast(workspace, 'author')
  const compose = () => mayWrite && navigate({ to: '/w/$workspace/posts/new', params: { workspace: workspace.slug } })
  const [letterKeys] = useLetterKeys()
  // Opens from within a text too.
  useHotkeys([['mod+K', palette.open]], [])
  useHotkeys(letterKeys ? [['C', (event) => void (isOverPage(event) || compose())]] : [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room closes the menu
  useEffect(menu.close, [path])
  const rooms = useRef<HTMLDivElement>(null)
  // Of many rooms, the one that somebody is in is seen in the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another room, or when the list appears
  useEffect(() => {
    rooms.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest' })
  }, [path, menuOpen])
  // On a phone it covers the page and the button that opened it.
  useEffect(() => {
    if (menuOpen) closer.current?.focus()
  }, [menuOpen])

  return (
    <AppShell
      header={{ height: 56, collapsed: false }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !menuOpen } }}
      padding={0}
      layout="alt"
      classNames={{ main: classes.main, navbar: classes.navbar, header: classes.header }}
    >
      <a href="#main" className={classes.skip}>
        {t('shell.skip')}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              ref={opener}
              opened={menuOpen}
              onClick={menu.toggle}
              size="sm"
              aria-label={t('shell.menu')}
              aria-expanded={menuOpen}
            />
            <Mark size={26} />
            <Text fw={650} truncate>
              {workspace?.name ?? 'Meydan'}
            </Text>
          </Group>
          {mayWrite && (
            <ActionIcon size="lg" aria-label={t('shell.new_post')} onClick={compose}>
              <PenLine size={18} />
            </ActionIcon>
          )}
        </Group>
      </AppShell.Header>

      <AppShell.Navbar
        p="sm"
        aria-label={t('shell.rooms')}
        mod={{ open: menuOpen }}
        onKeyDown={({ key, currentTarget, target }) => {
          // Keys in what its buttons open come by here, too.
          if (menuOpen && key === 'Escape' && currentTarget.contains(target as Node)) closeMenu()
        }}
      >
        <Group wrap="nowrap" gap={4} mb="sm">
          <WorkspaceSwitcher />
          <Burger
            ref={closer}
            hiddenFrom="sm"
            opened
            onClick={closeMenu}
            size="sm"
            aria-label={t('shell.close_menu')}
          />
        </Group>
        {mayWrite && (
          <Button leftSection={<PenLine size={17} />} onClick={compose} fullWidth mb="xs">
            {t('shell.new_post')}
          </Button>
        )}
        <Tooltip label={t('shell.palette_about')} position="right">
          <Button
            variant="default"
            fullWidth
            justify="space-between"
            leftSection={<Search size={16} />}
            rightSection={<Kbd size="xs">{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>}
            className={classes.search}
            onClick={palette.open}
            mb="md"
          >
            {t('shell.palette')}
          </Button>
        </Tooltip>
        <div ref={rooms} className={classes.rooms}>
          {workspace && <Rooms workspace={workspace} of={work} />}
          {workspace && (
            <>
              <Text className={classes.section}>{t('rooms.workspace')}</Text>
              <Rooms workspace={workspace} of={office} />
            </>
          )}
          <InstanceRooms />
        </div>
        <Divider my="sm" />
        <AccountMenu />
      </AppShell.Navbar>

      <AppShell.Main id="main" tabIndex={-1}>
        <Connection />
        <Arrival />
        <div className={classes.page}>
          <Suspense fallback={<Loader m="xl" aria-label={t('ui.loading')} />}>
            <InMain value={true}>{lost ? <LostWorkspace workspace={lost} /> : <Outlet />}</InMain>
          </Suspense>
        </div>
      </AppShell.Main>
      <MantineThemeProvider theme={closable}>
        <Notifications
          position="bottom-center"
          limit={3}
          // Below the next dialog, whose buttons it would cover.
          zIndex={190}
          classNames={{ notification: classes.notification }}
        />
      </MantineThemeProvider>
      {paletteOpen && (
        <Suspense fallback={null}>
          <Palette onClose={palette.close} />
        </Suspense>
      )}
      {workspace && <LivePosts key={workspace.slug} workspace={workspace.slug} />}
    </AppShell>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

function Rooms({ workspace, of }: { workspace: Workspace; of: typeof work | typeof office }) {
  const { t } = useTranslation()
  return of
    .filter((room) => isOpen(workspace, room))
    .map(({ to, key, icon: Icon, exact }) => (
      <NavLink
        key={key}
        label={t(`rooms.${key}`)}
        leftSection={<Icon size={18} />}
        rightSection={key === 'webhooks' && <WebhooksSign workspace={workspace} />}
        className={classes.room}
        renderRoot={(props) => (
          <Link to={to} params={{ workspace: workspace.slug }} activeOptions={{ exact }} {...props} />
        )}
      />
    ))
}

/** Tells of webhooks in trouble, as far as some room has asked for them already. */
function WebhooksSign({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const webhooks = useQuery({ ...webhooksQuery(workspace.slug), enabled: false }).data ?? []
  if (!webhooks.some(needsCare)) return null
  return <CircleAlert size={16} color="var(--mantine-color-error)" role="img" aria-label={t('overview.attention')} />
}

function InstanceRooms() {
  const { t } = useTranslation()
  if (!useMe().is_instance_admin) return null
  return (
    <>
      <Text className={classes.section}>{t('rooms.instance')}</Text>
      {instanceRooms.map(({ to, key, icon: Icon, exact }) => (
        <NavLink
          key={key}
          label={t(`rooms.${key}`)}
          leftSection={<Icon size={18} />}
          className={classes.room}
          renderRoot={(props) => <Link to={to} activeOptions={{ exact }} {...props} />}
        />
      ))}
    </>
  )
}

function LivePosts({ workspace }: { workspace: string }) {
  useLivePosts(workspace)
  return null
}

/** Whether something stands over the page, where a key means something else. */
const isOverPage = ({ target }: KeyboardEvent) =>
  document.querySelector('[role=dialog]') !== null ||
  (target instanceof Element && target.closest('[role=menu], [role=listbox]') !== null)

/** In another room, keys begin at its content and screen readers hear its title. */
function Arrival() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  const [title, setTitle] = useState('')
  useEffect(() => {
    const moved = before.current !== undefined && before.current !== path
    before.current = path
    if (!moved) return
    const main = document.getElementById('main')
    // A field that took the focus keeps it.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [path])
  return (
    <div className="unseen" aria-live="polite">
      {title}
    </div>
  )
}

/** Says that what is shown may be old, as long as there is no network or no answer. */
function Connection() {
  const { t } = useTranslation()
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const lost = useFlag(unanswered)
  return (
    <div role="status">
      {(!online || lost) && (
        <Group className={classes.offline} gap="xs" wrap="nowrap">
          <WifiOff size={18} />
          {online ? t('ui.unanswered') : t('ui.offline')}
        </Group>
      )}
    </div>
  )
}
