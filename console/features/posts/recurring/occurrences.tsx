import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, PenLine, SkipForward } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useNow } from '../../../ui/text/useNow'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateRecurring, occurrencesQuery, type RecurringPost } from './queries'
import classes from './recurring.module.css'

type Props = { recurring: RecurringPost }

/** Skips an occurrence to come, or undoes that. */
export function useSkip(id: string) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  return useMutation({
    mutationFn: ({ occurs_at, undo }: { occurs_at: string; undo: boolean }) => {
      const input = { params: { path: { id } }, body: { occurs_at } }
      return unwrap(
        undo
          ? client.POST('/api/v1/recurring-posts/{id}/unskip', input)
          : client.POST('/api/v1/recurring-posts/{id}/skip', input),
      )
    },
    onSuccess: (_, { undo }) =>
      notifications.show({ message: t(undo ? 'recurring.unskipped' : 'recurring.was_skipped') }),
    onError: useErrorNotification(),
    onSettled: () => invalidateRecurring(slug),
  })
}

/** Creates the post of an occurrence, unless it has one, and opens it to be edited. */
export function useEditOccurrence(id: string, open: (post: string) => unknown) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (occurs_at: string) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/recurring-posts/{id}/posts', {
          params: { path: { id } },
          body: { occurs_at },
        }),
      ),
    onSuccess: (post) => open(post.id),
    onError: useErrorNotification(),
    onSettled: () => invalidateRecurring(slug),
  })
}

/** The next times, each with a link to its post once it exists. */
export function NextOccurrences({ recurring, mayChange }: Props & { mayChange: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id, timezone, next_occurrences } = recurring
  const format = useFormat(timezone)
  const skip = useSkip(id)
  const navigate = useNavigate()
  const edit = useEditOccurrence(id, (post) =>
    navigate({ to: '/w/$workspace/posts/$post/edit', params: { workspace: slug, post } }),
  )
  return (
    <div className={classes.next}>
      <Text fz="sm" fw={600}>
        {t('recurring.next')}
      </Text>
      <ol className={classes.times}>
        {next_occurrences.map(({ occurs_at, post_id }) => {
          const time = format.dateTime(occurs_at)
          return (
            <li key={occurs_at} className="tabular">
              {post_id ? (
                <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
                  <time dateTime={occurs_at}>{time}</time>
                </AnchorLink>
              ) : (
                <Text component="time" fz="sm" dateTime={occurs_at}>
                  {time}
                </Text>
              )}
              {mayChange && (
                <>
                  <TimeAction
                    label={t('recurring.edit_this')}
                    name={t('recurring.edit_this_of', { time })}
                    icon={<PenLine size={14} />}
                    loading={edit.isPending && edit.variables === occurs_at}
                    onClick={() => edit.mutate(occurs_at)}
                  />
                  <TimeAction
                    label={t('recurring.skip')}
                    name={t('recurring.skip_of', { time })}
                    icon={<SkipForward size={14} />}
                    loading={skip.isPending && skip.variables.occurs_at === occurs_at}
                    onClick={() => skip.mutate({ occurs_at, undo: false })}
                  />
                </>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

type TimeActionProps = { label: string; name: string; icon: ReactNode; loading: boolean; onClick: () => void }

function TimeAction({ label, name, icon, loading, onClick }: TimeActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={name} loading={loading} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** The times that were skipped, or had less than they should have, with the reason. Loaded when it is opened. */
export function Skipped({ recurring: { id, timezone }, mayUndo }: Props & { mayUndo: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat(timezone)
  const now = useNow()
  const [opened, { toggle }] = useDisclosure(false)
  const occurrences = useQuery({ ...occurrencesQuery(slug, id), enabled: opened })
  const skipped = occurrences.data?.filter(({ reason }) => reason) ?? []
  const skip = useSkip(id)
  return (
    <div className={classes.skipped}>
      <Button
        variant="subtle"
        size="compact-sm"
        color="gray"
        aria-expanded={opened}
        onClick={toggle}
        rightSection={opened ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
      >
        {t('recurring.skipped')}
      </Button>
      {opened && occurrences.error && <ProblemAlert error={occurrences.error} onRetry={() => occurrences.refetch()} />}
      {opened && occurrences.data && skipped.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('recurring.none_skipped')}
        </Text>
      )}
      {opened && skipped.length > 0 && (
        <ul className={classes.reasons}>
          {skipped.map(({ id: occurrence, occurs_at, status, reason }) => {
            const time = format.dateTime(occurs_at)
            return (
              <li key={occurrence}>
                <time dateTime={occurs_at} className="tabular">
                  {time}
                </time>
                {reason && `: ${t(`recurring.reasons.${reason}`)}`}
                {mayUndo && status === 'skipped' && new Date(occurs_at) > now && (
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    ml={6}
                    aria-label={t('recurring.unskip_of', { time })}
                    loading={skip.isPending && skip.variables.occurs_at === occurs_at}
                    onClick={() => skip.mutate({ occurs_at, undo: true })}
                  >
                    {t('recurring.unskip')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
