import { AppShell, Burger, Button, type ButtonProps, Divider, Group, Text, Tooltip } from '@mantine/core'
import { linkOptions, useMatchRoute, useRouterState } from '@tanstack/react-router'
import { ArrowLeft, ChevronRight, PenLine, Search, ServerCog } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import { AccountMenu } from '../../features/auth/AccountMenu'
import { useMe } from '../../features/auth/queries'
import { useHasBilling } from '../../features/billing/queries'
import { Bell } from '../../features/notifications/Bell'
import { useCurrentWorkspace } from '../../features/workspaces/queries'
import { WorkspaceSwitcher } from '../../features/workspaces/WorkspaceSwitcher'
import {
  dailyGroup,
  instanceEntries,
  instanceGroups,
  isBehindMore,
  moreGroups,
  workspaceEntries,
} from '../../navigation'
import { ShortcutKeys } from '../../ui/focus/shortcuts'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import type { WorkspaceEntry } from '../../ui/navigation/entry'
import { NavItemLink } from '../../ui/navigation/NavItemLink'
import { LinkBadge } from './LinkBadge'
import { MorePages } from './MorePages'
import { NavigationGroups } from './NavigationGroups'
import classes from './Sidebar.module.css'
import type { SidebarMenu } from './useSidebarMenu'

type Props = {
  /** Shows the pages of this installation instead of those of a workspace. */
  isInstance: boolean
  menu: SidebarMenu
  /** Without it, the user may not write posts. */
  compose: (() => void) | undefined
  openPalette: () => void
}

export function Sidebar({ isInstance, menu, compose, openPalette }: Props) {
  const { t } = useTranslation()
  const workspace = useCurrentWorkspace()
  const { is_instance_admin } = useMe()
  return (
    <AppShell.Navbar
      p="sm"
      aria-label={t(isInstance ? 'pages.instance' : 'shell.pages')}
      classNames={{ navbar: classes.navbar }}
      mod={{ open: menu.isOpen }}
      onKeyDown={({ key, currentTarget, target }) => {
        // Key events of the popovers that its buttons open bubble through here, too.
        if (menu.isOpen && key === 'Escape' && currentTarget.contains(target as Node)) menu.close()
      }}
    >
      <Group wrap="nowrap" gap={4} mb="sm">
        {isInstance ? <BackLink workspace={workspace} /> : <WorkspaceSwitcher />}
        <Bell visibleFrom="sm" />
        <Burger
          ref={menu.closer}
          hiddenFrom="sm"
          opened
          onClick={menu.close}
          size="sm"
          aria-label={t('shell.close_menu')}
        />
      </Group>
      {isInstance && (
        <Group gap="xs" px={6} mb="sm" wrap="nowrap">
          <ServerCog size={20} aria-hidden />
          <Text fw={650}>{t('pages.instance')}</Text>
        </Group>
      )}
      {compose && !isInstance && (
        <Button leftSection={<PenLine size={17} />} onClick={compose} fullWidth mb="xs">
          {t('shell.new_post')}
        </Button>
      )}
      <PaletteButton onClick={openPalette} />
      <ScrollingLinks isOpen={menu.isOpen}>
        {isInstance ? <InstanceLinks /> : workspace && <WorkspaceLinks workspace={workspace} />}
      </ScrollingLinks>
      {is_instance_admin && !isInstance && (
        <NavItemLink
          to="/admin"
          label={t('pages.instance')}
          leftSection={<ServerCog size={18} />}
          rightSection={<ChevronRight size={16} />}
          className={classes.link}
          mt="xs"
        />
      )}
      <Divider my="sm" />
      <AccountMenu />
    </AppShell.Navbar>
  )
}

const sidebarButton = {
  variant: 'subtle',
  color: 'gray',
  c: 'var(--mantine-color-text)',
  px: 6,
  h: 44,
  flex: 1,
  miw: 0,
  justify: 'flex-start',
} as const satisfies ButtonProps

function BackLink({ workspace }: { workspace: Workspace | undefined }) {
  const { t } = useTranslation()
  return (
    <ButtonLink
      {...(workspace
        ? linkOptions({ to: '/w/$workspace', params: { workspace: workspace.slug } })
        : linkOptions({ to: '/new-workspace' }))}
      {...sidebarButton}
      leftSection={<ArrowLeft size={18} />}
    >
      <Text truncate>{workspace ? t('navigation.back_to', { name: workspace.name }) : t('navigation.back')}</Text>
    </ButtonLink>
  )
}

function PaletteButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Tooltip label={t('shell.palette_about')} position="right">
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        leftSection={<Search size={16} />}
        rightSection={<ShortcutKeys keys="mod+K" />}
        className={classes.search}
        onClick={onClick}
        mb="md"
      >
        {t('shell.palette')}
      </Button>
    </Tooltip>
  )
}

/** Scrolls the link of the current page into view, on another page and when the drawer opens. */
function ScrollingLinks({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const links = useRef<HTMLDivElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page, or when the drawer opens
  useEffect(() => {
    links.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest' })
  }, [path, isOpen])
  return (
    <div ref={links} className={classes.links}>
      {children}
    </div>
  )
}

function WorkspaceLinks({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const matchRoute = useMatchRoute()
  const entries = workspaceEntries(workspace, useHasBilling(workspace))
  const params = { workspace: workspace.slug }
  // Addresses name the workspace by slug or id.
  const isInside = entries.some((entry) => isBehindMore(entry) && matchRoute({ to: entry.to, fuzzy: true }))
  const link = ({ to, label, icon: Icon, badge }: WorkspaceEntry) => (
    <NavItemLink
      to={to}
      params={params}
      // Every page of the workspace is below the overview's address.
      activeOptions={{ exact: to === '/w/$workspace' }}
      label={t(label)}
      leftSection={<Icon size={18} />}
      rightSection={badge && <LinkBadge badge={badge} />}
      className={classes.link}
    />
  )
  return (
    <>
      <NavigationGroups groups={[dailyGroup]} entries={entries} link={link} />
      <MorePages key={String(isInside)} isInside={isInside}>
        <NavigationGroups groups={moreGroups} entries={entries} link={link} />
      </MorePages>
    </>
  )
}

function InstanceLinks() {
  const { t } = useTranslation()
  return (
    <NavigationGroups
      groups={instanceGroups}
      entries={instanceEntries}
      link={({ to, label, icon: Icon, badge }) => (
        <NavItemLink
          to={to}
          // Its other pages are below its address.
          activeOptions={{ exact: to === '/admin/billing' }}
          label={t(label)}
          leftSection={<Icon size={18} />}
          rightSection={badge && <LinkBadge badge={badge} />}
          className={classes.link}
        />
      )}
    />
  )
}
