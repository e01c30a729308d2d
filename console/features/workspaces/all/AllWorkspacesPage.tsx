import { Card, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarDays, CircleCheck, CircleX, ClipboardCheck, ClockAlert, Hourglass, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace, WorkspaceCounts } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, workspaceCountsQuery, workspacesQuery } from '../queries'
import { WorkspacePicture } from '../WorkspacePicture'
import { useSwitchWorkspace } from '../WorkspaceSwitcher'
import classes from './AllWorkspacesPage.module.css'

/** What waits, what failed and what comes in all workspaces of the user. Those that need attention are first. */
export function AllWorkspacesPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.all_workspaces'))
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const counts = useQuery(workspaceCountsQuery)
  const rows = workspaces
    .map((workspace) => ({ workspace, counts: counts.data?.find(({ id }) => id === workspace.id) }))
    .toSorted((a, b) => urgency(b) - urgency(a) || a.workspace.name.localeCompare(b.workspace.name))
  return (
    <>
      <PageHeader title={t('pages.all_workspaces')} about={t('all_workspaces.about')} />
      {counts.error && <ProblemAlert error={counts.error} onRetry={() => counts.refetch()} />}
      <Stack component="ul" gap="sm" className={classes.list}>
        {rows.map((row) => (
          <li key={row.workspace.id}>
            <WorkspaceRow {...row} isLoading={counts.isPending} />
          </li>
        ))}
      </Stack>
    </>
  )
}

type Row = { workspace: Workspace; counts: WorkspaceCounts | undefined }

/** Everything in a workspace that somebody must do, with the page for it. */
const factsOf = ({ workspace, counts }: Row) =>
  counts
    ? (
        [
          { key: 'failed', icon: CircleX, color: 'coral', count: counts.failed, to: '/w/$workspace' },
          { key: 'held', icon: ClockAlert, color: 'orange', count: counts.held, to: '/w/$workspace' },
          {
            key: 'disconnected',
            icon: Unplug,
            color: 'orange',
            count: counts.disconnected_accounts,
            to: '/w/$workspace/accounts',
          },
          {
            key: 'waits_for_you',
            icon: ClipboardCheck,
            color: 'yellow',
            count: counts.waits_for_you,
            to: '/w/$workspace/review',
          },
          {
            key: 'in_review',
            icon: Hourglass,
            color: 'gray',
            count: isAtLeast(workspace, 'editor') ? counts.in_review - counts.waits_for_you : 0,
            to: '/w/$workspace/review',
          },
        ] as const
      ).filter(({ count }) => count > 0)
    : []

/** What waits for others comes last. */
const urgency = (row: Row) =>
  factsOf(row).reduce((sum, { key, count }) => sum + (key === 'in_review' ? count / 1000 : count), 0)

function WorkspaceRow({ workspace, counts, isLoading }: Row & { isLoading: boolean }) {
  const { t } = useTranslation()
  const format = useFormat(workspace.timezone)
  const switchTo = useSwitchWorkspace()
  const params = { workspace: workspace.slug }
  const facts = factsOf({ workspace, counts })
  return (
    <Card component="section" padding="md" aria-labelledby={workspace.id}>
      <Group gap="md" wrap="nowrap" align="flex-start">
        <WorkspacePicture workspace={workspace} size={40} />
        <div className={classes.body}>
          <Title order={2} size="h3" id={workspace.id}>
            <AnchorLink
              to="/w/$workspace"
              params={params}
              onClick={(event) => {
                // The browser handles clicks that open another tab.
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                switchTo(workspace)
              }}
            >
              {workspace.name}
            </AnchorLink>
          </Title>
          {isLoading && <Skeleton height={26} mt="xs" maw={320} />}
          {counts && (
            <ul className={classes.facts}>
              {facts.length === 0 && (
                <li>
                  <Text span c="dimmed" className={classes.fact}>
                    <CircleCheck size={16} aria-hidden="true" />
                    {t('all_workspaces.nothing')}
                  </Text>
                </li>
              )}
              {facts.map(({ key, icon: Icon, color, count, to }) => (
                <li key={key}>
                  <Link to={to} params={params} className={classes.fact}>
                    <Icon size={16} aria-hidden="true" color={`var(--mantine-color-${color}-light-color)`} />
                    {t(`all_workspaces.${key}`, { count })}
                  </Link>
                </li>
              ))}
              <li>
                <Link to="/w/$workspace/calendar" params={params} className={classes.fact}>
                  <CalendarDays size={16} aria-hidden="true" />
                  {t('all_workspaces.upcoming', { count: counts.upcoming })}
                  {counts.next_at && (
                    <Text span c="dimmed" inherit>
                      {t('all_workspaces.next', { time: format.dateTime(counts.next_at) })}
                    </Text>
                  )}
                </Link>
              </li>
            </ul>
          )}
          {counts && <Week workspace={workspace} days={counts.days} />}
        </div>
      </Group>
    </Card>
  )
}

/** The number of posts on each day of the week to come. A day opens in the calendar. */
function Week({ workspace, days }: { workspace: Workspace; days: WorkspaceCounts['days'] }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const write = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
  return (
    <ul className={classes.week} aria-label={t('all_workspaces.week')}>
      {days.map(({ day, posts }) => (
        <li key={day}>
          <Link
            to="/w/$workspace/calendar"
            params={{ workspace: workspace.slug }}
            search={{ view: 'day', date: day }}
            className={classes.day}
            data-empty={posts === 0 || undefined}
          >
            <VisuallyHidden>
              {t('all_workspaces.on_day', {
                count: posts,
                day: write(day, { weekday: 'long', day: 'numeric', month: 'long' }),
              })}
            </VisuallyHidden>
            <span className={classes.weekday} aria-hidden="true">
              {write(day, { weekday: 'short' })}
            </span>
            <span className={classes.posts} aria-hidden="true">
              {posts}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
