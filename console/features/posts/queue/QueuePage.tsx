import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { useAccountFilter } from '../../accounts/groups/account-filter'
import { accountGroupsQuery } from '../../accounts/groups/queries'
import { accountsQuery } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { GroupQueue } from './GroupQueue'
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
  const search = route.useSearch()
  const navigate = useNavigate()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const groups = useQuery(accountGroupsQuery(slug)).data ?? []
  const group = groups.find(({ id }) => id === search.group)
  const name = group?.name ?? accounts.find(({ id }) => id === account)?.name
  const title = name === undefined ? t('queue.title_plain') : t('queue.title', { name })
  useDocumentTitle(title)
  const times = useQuery(postingTimesQuery(slug, account))
  const [shown, setShown] = useState(FIRST_DAYS)
  const queue = useQuery({ ...queueQuery(slug, account, shown), placeholderData: keepPreviousData })
  const filter = useAccountFilter({ account, group: group?.id }, (chosen) =>
    navigate({
      to: '/w/$workspace/accounts/$account/queue',
      params: { workspace: slug, account: chosen.account ?? account },
      search: { group: chosen.group },
    }),
  )
  const onMore = shown === FIRST_DAYS ? () => setShown(ALL_DAYS) : undefined
  const error = times.error ?? queue.error
  return (
    <>
      <BackLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
        {t('queue.back')}
      </BackLink>
      <PageHeader title={title} about={t('queue.about')}>
        {accounts.length > 1 && <Select {...filter} allowDeselect={false} w={220} />}
        {!group && queue.data && !queue.data.paused_at && <PauseQueueButton account={account} />}
      </PageHeader>
      {!group && queue.data?.paused_at && (
        <QueuePausedAlert account={account} {...queue.data} paused_at={queue.data.paused_at} />
      )}
      {group && (
        <GroupQueue
          key={group.id}
          accounts={accounts.filter(({ id }) => group.account_ids.includes(id))}
          days={shown.days}
          onMore={onMore}
        />
      )}
      {!group && error && (
        <ProblemAlert error={error} onRetry={() => Promise.all([times.refetch(), queue.refetch()])} />
      )}
      {!group && !error && !(times.data && queue.data) && <LoadingSkeleton lines={4} height={64} />}
      {!group && times.data && queue.data && (
        <div className={classes.page}>
          <QueueList
            account={account}
            entries={queue.data.data}
            hasTimes={times.data.record.times.length > 0}
            onMore={onMore}
          />
          {isAtLeast(workspace, 'editor') && <PostingTimesForm key={account} account={account} opened={times.data} />}
        </div>
      )}
    </>
  )
}
