import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { accountsQuery } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { PostingTimesForm } from './PostingTimesForm'
import { QueueList } from './QueueList'
import { PauseQueueButton, QueuePausedAlert } from './QueuePause'
import { ALL_DAYS, FIRST_DAYS, postingTimesQuery, queueQuery } from './queries'
import classes from './queue.module.css'

const route = getRouteApi('/signed-in/shell/w/$workspace/accounts/$account/queue')

/** The queue of an account: its upcoming slots, and its posting times. */
export function QueuePage() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const { account } = route.useParams()
  const name = useQuery(accountsQuery(slug)).data?.find(({ id }) => id === account)?.name
  const title = name === undefined ? t('queue.title_plain') : t('queue.title', { name })
  useDocumentTitle(title)
  const times = useQuery(postingTimesQuery(slug, account))
  const [shown, setShown] = useState(FIRST_DAYS)
  const queue = useQuery({ ...queueQuery(slug, account, shown), placeholderData: keepPreviousData })
  const error = times.error ?? queue.error
  return (
    <>
      <BackLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
        {t('queue.back')}
      </BackLink>
      <PageHeader title={title} about={t('queue.about')}>
        {queue.data && !queue.data.paused_at && <PauseQueueButton account={account} />}
      </PageHeader>
      {queue.data?.paused_at && <QueuePausedAlert account={account} {...queue.data} paused_at={queue.data.paused_at} />}
      {error && <ProblemAlert error={error} onRetry={() => Promise.all([times.refetch(), queue.refetch()])} />}
      {!error && !(times.data && queue.data) && <LoadingSkeleton lines={4} height={64} />}
      {times.data && queue.data && (
        <div className={classes.page}>
          <QueueList
            account={account}
            entries={queue.data.data}
            hasTimes={times.data.record.times.length > 0}
            onMore={shown === FIRST_DAYS ? () => setShown(ALL_DAYS) : undefined}
          />
          {isAtLeast(workspace, 'editor') && <PostingTimesForm key={account} account={account} opened={times.data} />}
        </div>
      )}
    </>
  )
}
