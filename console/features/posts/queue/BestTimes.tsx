import { Button, Group, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'

type Part = components['schemas']['BestTimes']['parts'][number]

const bestTimesQuery = (workspace: string, account: string) =>
  queryOptions({
    queryKey: ['best-times', workspace, account],
    queryFn: () =>
      unwrap(workspaceApi(workspace).GET('/api/v1/accounts/{id}/best-times', { params: { path: { id: account } } })),
    staleTime: 3_600_000,
  })

const middles = { night: '03:00', morning: '09:00', afternoon: '15:00', evening: '21:00' } as const

type Props = {
  account: string
  /** Time zone of the posting times. */
  timezone: string
  /** Fills a time into the form. Nothing is changed by that. */
  onUse: (time: string, days: Part['days']) => void
}

/** Says in which parts of the week the posts of an account did better, and offers a time there. */
export function BestTimes({ account, timezone, onUse }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { number, timeOfDay } = useFormat()
  const best = useQuery(bestTimesQuery(slug, account)).data
  if (!best || best.state === 'unsupported') return null
  const named = best.parts.flatMap(({ better, ...part }) => (better ? [{ ...part, ...better }] : []))
  return (
    <section aria-labelledby="best-times">
      <Title order={3} size="h4" id="best-times">
        {t('best_times.title')}
      </Title>
      {best.state === 'not_enough' && (
        <Text fz="sm">{t('best_times.not_enough', { posts: number(best.posts), needed: number(best.min_posts) })}</Text>
      )}
      {best.state === 'none' && <Text fz="sm">{t('best_times.none', { posts: number(best.posts) })}</Text>}
      {named.map(({ days, part, posts, from_percent, to_percent }) => (
        <Group key={`${days} ${part}`} gap="sm" my={4}>
          <Text fz="sm">
            {t('best_times.better', {
              when: t(`best_times.${days}_${part}`),
              count: posts,
              from: number(from_percent),
              to: number(to_percent),
            })}
          </Text>
          {timezone === best.timezone && (
            <Button size="compact-sm" variant="light" onClick={() => onUse(middles[part], days)}>
              {t('best_times.use', { time: timeOfDay(middles[part]) })}
            </Button>
          )}
        </Group>
      ))}
      <Text fz="sm" c="dimmed">
        {t('best_times.about')}
      </Text>
    </section>
  )
}
