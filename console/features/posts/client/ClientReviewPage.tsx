import '../../../theme/components'
import { Button, Group, Progress, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CheckCheck, CircleCheckBig } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { languageOf } from '../../../i18n'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { ClientMails } from './ClientMails'
import { ClientPassword } from './ClientPassword'
import { ClientPost } from './ClientPost'
import classes from './client.module.css'
import { useDecisions } from './decide'
import { type ClientReview, clientReviewQuery } from './queries'

/** The page of a client link, for a person without an account. */
export function ClientReviewPage() {
  const { t, i18n } = useTranslation()
  const { id } = getRouteApi('/review/$id').useParams()
  const review = useQuery(clientReviewQuery(id, languageOf(i18n.language)))
  useDocumentTitle(review.data?.name ?? t('client.title'))
  const { error, data } = review
  const isUnknown = isStatus(error, 404) || isStatus(error, 400)
  return (
    <main id="main" className={classes.page}>
      {isUnknown && (
        <>
          <Title order={1} size="h2" mb="xs">
            {t('client.unknown')}
          </Title>
          <Text c="dimmed">{t('client.unknown_detail')}</Text>
        </>
      )}
      {error && !isUnknown && <ProblemAlert error={error} onRetry={() => review.refetch()} />}
      {review.isPending && <LoadingSkeleton lines={3} height={240} />}
      {data === null && !isUnknown && <ClientPassword id={id} onOpened={() => review.refetch()} />}
      {data && !isUnknown && <Posts id={id} review={data} />}
    </main>
  )
}

function Posts({ id, review }: { id: string; review: ClientReview }) {
  const { t } = useTranslation()
  const format = useFormat(review.timezone)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const decisions = useDecisions(id)
  const { posts, workspace, may_decide } = review
  const waiting = posts.filter((post) => post.state === 'waiting' && !decisions.heldOf(post))
  /** Posts whose present content was on the screen. */
  const looked = waiting.filter(({ content_version }) => seen.has(content_version))
  const decided = posts.length - waiting.length
  const addSeen = useCallback(
    (version: string) => setSeen((before) => (before.has(version) ? before : new Set([...before, version]))),
    [],
  )
  const dayOf = (time: string | null) => (time ? format.day(time) : t('client.no_time'))
  const days = Map.groupBy(posts, ({ scheduled_at }) => dayOf(scheduled_at))
  return (
    <>
      <Group gap="sm" wrap="nowrap" mb="md">
        {workspace.has_picture && <img className={classes.brand} src={`/api/v1/review/${id}/picture`} alt="" />}
        <div>
          <Text c="dimmed" fz="sm">
            {workspace.name}
          </Text>
          <Title order={1} size="h3">
            {review.name}
          </Title>
        </div>
      </Group>
      {posts.length === 0 && (
        <EmptyState icon={<CircleCheckBig size={26} />} title={t('client.none')}>
          {t('client.none_detail')}
        </EmptyState>
      )}
      {posts.length > 0 && (
        <Text fz="sm" c="dimmed" mb="md">
          {t('client.zone', { zone: review.timezone })}
        </Text>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <Title order={2} size="h5" mb="sm">
            {day}
          </Title>
          {ofDay.map((post) => (
            <ClientPost key={post.id} id={id} review={review} post={post} decisions={decisions} onSeen={addSeen} />
          ))}
        </section>
      ))}
      {review.gets_mails !== null && <ClientMails id={id} getsMails={review.gets_mails} />}
      {may_decide && posts.length > 0 && (
        <div className={classes.bar}>
          <div>
            {decisions.leftOut > 0 && (
              <Text fz="sm" mb="xs" role="status">
                {t('client.left_out', { count: decisions.leftOut })}
              </Text>
            )}
            <Progress value={(100 * decided) / posts.length} mb="xs" aria-label={t('client.progress')} />
            {waiting.length === 0 ? (
              <Group gap="xs" role="status">
                <CircleCheckBig size={20} aria-hidden="true" />
                <Text fw={600}>{t('client.done')}</Text>
              </Group>
            ) : (
              <Button
                fullWidth
                size="md"
                leftSection={<CheckCheck size={18} />}
                disabled={looked.length === 0}
                onClick={() => decisions.decide(looked, null)}
              >
                {looked.length === 0
                  ? t('client.decided', { decided, count: posts.length })
                  : t('client.approve_seen', { count: looked.length })}
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  )
}
