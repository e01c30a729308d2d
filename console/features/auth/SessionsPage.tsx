import { Badge, Button, Card, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient } from '../../api'
import type { components } from '../../api.gen'
import { browserName } from '../../ui/browser'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { More } from '../../ui/More'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useGone } from '../../ui/useGone'
import { useMinute } from '../../ui/useMinute'
import { useTell } from '../../ui/useTell'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import classes from './People.module.css'
import { sessionsQuery, useMe } from './queries'

type Session = components['schemas']['Session']

const reload = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** Every browser that somebody is signed in with. */
export function SessionsPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.sessions'))
  useMinute()
  const sessions = useInfiniteQuery(sessionsQuery)
  const shown = sessions.data?.pages.flatMap(({ data }) => data) ?? []
  const [asking, ask] = useDisclosure(false)
  const endOthers = useMutation({
    mutationFn: () => answered(api.DELETE('/api/v1/me/sessions')),
    onSuccess: async () => {
      await reload()
      ask.close()
    },
    onError: reload,
  })
  return (
    <>
      <PageHead title={t('rooms.sessions')} about={t('sessions.about')}>
        {shown.some(({ current }) => !current) && (
          <Button variant="default" onClick={ask.open}>
            {t('sessions.end_others')}
          </Button>
        )}
      </PageHead>
      {sessions.error && <Problem error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <Waiting lines={3} />}
      {sessions.data && shown.length === 0 && (
        <Card padding={0}>
          <Empty icon={<Monitor size={26} />} title={t('sessions.none')} />
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list}>
            {shown.map((session) => (
              <OneSession key={session.id} session={session} />
            ))}
          </ul>
        </Card>
      )}
      <More of={sessions} />
      <Dialog opened={asking} onClose={ask.close} title={t('sessions.end_others_ask')}>
        <Text mb="md">{t('sessions.end_others_detail')}</Text>
        {endOthers.error && <Problem error={endOthers.error} />}
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

function OneSession({ session: { id, current, ...session } }: { session: Session }) {
  const { t } = useTranslation()
  const { gone, at } = useGone<HTMLLIElement>()
  const end = useMutation({
    mutationFn: () => answered(api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      gone.current = true
    },
    onError: useTell(),
    onSettled: reload,
  })
  const { created_at, seen_at } = session
  // The last use is noted to the minute.
  const seen = seen_at && seen_at > created_at ? seen_at : created_at
  const agent = session.user_agent ?? ''
  const name = browserName(agent) || t('sessions.unknown')
  const Icon = /Mobi|Android|iPhone|iPad/.test(agent) ? Smartphone : Monitor
  return (
    <li ref={at} className={classes.row}>
      <span className={classes.sign}>
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
          <When label="sessions.seen" at={seen} /> · <When label="sessions.since" at={created_at} />
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

/** How long ago, and exactly when for who asks. */
function When({ label, at }: { label: 'sessions.seen' | 'sessions.since'; at: string }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <time dateTime={at} title={format.full(at)}>
      {t(label, { ago: format.ago(at) })}
    </time>
  )
}
