import { Badge, Button, Card, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../api'
import type { components } from '../../api.gen'
import { Dialog } from '../../ui/dialog/Dialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import classes from '../../ui/layout/IconList.module.css'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useNow } from '../../ui/text/useNow'
import { browserName } from '../../ui/text/user-agent'
import { sessionsQuery, useMe } from './queries'

type Session = components['schemas']['Session']

const reload = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** The user's sessions, one for each browser. */
export function SessionsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.sessions'))
  useNow()
  const sessions = useInfiniteQuery(sessionsQuery)
  const shown = sessions.data?.pages.flatMap(({ data }) => data) ?? []
  const [asking, ask] = useDisclosure(false)
  const endOthers = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/me/sessions')),
    onSuccess: async () => {
      await reload()
      ask.close()
    },
    onError: reload,
  })
  return (
    <>
      <PageHeader title={t('pages.sessions')} about={t('sessions.about')}>
        {shown.some(({ current }) => !current) && (
          <Button variant="default" onClick={ask.open}>
            {t('sessions.end_others')}
          </Button>
        )}
      </PageHeader>
      {sessions.error && <ProblemAlert error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <LoadingSkeleton lines={3} />}
      {sessions.data && shown.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Monitor size={26} />} title={t('sessions.none')} />
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list}>
            {shown.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={sessions} />
      <Dialog opened={asking} onClose={ask.close} title={t('sessions.end_others_ask')}>
        <Text mb="md">{t('sessions.end_others_detail')}</Text>
        {endOthers.error && <ProblemAlert error={endOthers.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={ask.close}>
            {t('ui.cancel')}
          </Button>
          <Button color="coral" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('sessions.end_others')}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}

function SessionRow({ session: { id, current, ...session } }: { session: Session }) {
  const { t } = useTranslation()
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const end = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      gone.current = true
    },
    onError: useErrorNotification(),
    onSettled: reload,
  })
  const { created_at, last_used_at } = session
  // The last use is stored to the minute.
  const seen = last_used_at && last_used_at > created_at ? last_used_at : created_at
  const agent = session.user_agent ?? ''
  const name = browserName(agent) || t('sessions.unknown')
  const Icon = /Mobi|Android|iPhone|iPad/.test(agent) ? Smartphone : Monitor
  return (
    <li ref={at} className={classes.row}>
      <span className={classes.icon}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} title={agent || undefined} className="text">
            {name}
          </Text>
          {current && <Badge variant="light">{t('sessions.current')}</Badge>}
        </Group>
        <Text c="dimmed" fz="sm">
          {session.ip_address && <>{session.ip_address} · </>}
          <SessionTime label="sessions.seen" at={seen} /> · <SessionTime label="sessions.since" at={created_at} />
        </Text>
      </div>
      {!current && (
        <Button
          variant="default"
          size="sm"
          loading={end.isPending}
          onClick={() => end.mutate()}
          aria-label={t('sessions.end_one', { name })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

/** Relative time, with the exact time as tooltip. */
function SessionTime({ label, at }: { label: 'sessions.seen' | 'sessions.since'; at: string }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <time dateTime={at} title={format.full(at)}>
      {t(label, { ago: format.ago(at) })}
    </time>
  )
}
