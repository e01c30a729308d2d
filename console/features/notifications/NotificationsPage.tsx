import { Button, Card, SegmentedControl, Text, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import classes from '../../ui/layout/IconList.module.css'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useNow } from '../../ui/text/useNow'
import { NotificationRow } from './NotificationRow'
import { markAllRead, notificationsQuery, reloadNotifications } from './queries'

const route = getRouteApi('/signed-in/shell/notifications')

/** Lists the notifications of all workspaces of the user, the newest first. */
export function NotificationsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.notifications'))
  useNow()
  const { state } = route.useSearch()
  const navigate = useNavigate()
  const list = useInfiniteQuery(notificationsQuery(state))
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? []
  const newest = shown[0]?.id
  const readAll = useMutation({
    mutationFn: markAllRead,
    onSuccess: reloadNotifications,
    onError: useErrorNotification(),
  })
  return (
    <>
      <PageHeader title={t('pages.notifications')} about={t('notifications.about')}>
        {newest !== undefined && shown.some(({ unread }) => unread) && (
          <Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate(newest)}>
            {t('notifications.read_all')}
          </Button>
        )}
        <ButtonLink variant="default" to="/profile/notifications">
          {t('notifications.settings')}
        </ButtonLink>
      </PageHeader>
      <SegmentedControl
        mb="md"
        aria-label={t('notifications.show')}
        value={state ?? 'all'}
        onChange={(value) =>
          void navigate({ to: '/notifications', search: value === 'unread' ? { state: value } : {}, replace: true })
        }
        data={[
          { value: 'all', label: t('notifications.all') },
          { value: 'unread', label: t('notifications.unread') },
        ]}
      />
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <LoadingSkeleton lines={4} />}
      {list.data && shown.length === 0 && (
        <Card padding={0}>
          <EmptyState
            icon={<Bell size={26} />}
            title={t(state ? 'notifications.none_unread' : 'notifications.none')}
            {...(!state && { children: <Text c="dimmed">{t('notifications.none_detail')}</Text> })}
          />
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <VisuallyHidden component="h2">{t('notifications.list')}</VisuallyHidden>
          <ul className={classes.list}>
            {shown.map((notification) => (
              <NotificationRow key={notification.id} notification={notification} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={list} />
    </>
  )
}
