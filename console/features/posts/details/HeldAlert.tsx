import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ClockAlert, FileText, OctagonX, Pause, Play, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'
import { usePostActions, usePostPermissions } from '../PostActions'

/** Says on the page of a post why it is held, and lets its editors decide. */
export function HeldAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const may = usePostPermissions(post)
  const { publish, release, unschedule } = usePostActions(post)
  if (!post.held) return null
  if (post.held === 'queue_paused') return <WaitingAlert post={post} />
  const isStopped = post.held === 'agents_stopped'
  return (
    <Alert
      color="orange"
      icon={isStopped ? <OctagonX size={20} /> : <ClockAlert size={20} />}
      title={t(isStopped ? 'held.stopped_title' : 'held.title')}
    >
      <Text>{t(isStopped ? 'held.stopped_about' : 'held.about')}</Text>
      {may.publish && (
        <Group gap="sm" mt="sm">
          {isStopped && (
            <Button leftSection={<Play size={17} />} loading={release.isPending} onClick={() => release.mutate()}>
              {t('held.release')}
            </Button>
          )}
          <Button
            {...(isStopped && { variant: 'default' })}
            leftSection={<Send size={17} />}
            loading={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {t('posts.publish_now')}
          </Button>
          <Button
            variant="default"
            leftSection={<FileText size={17} />}
            loading={unschedule.isPending}
            onClick={() => unschedule.mutate()}
          >
            {t('held.draft')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}

/** Says which queue a post waits for. */
function WaitingAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const paused = accounts.filter(
    ({ id, queue_paused }) => queue_paused && post.targets.some(({ account_id }) => account_id === id),
  )
  return (
    <Alert color="yellow" icon={<Pause size={20} />} title={t('held.queue_title')}>
      <Text>{t('held.queue_about')}</Text>
      <Group gap="lg" mt="sm">
        {paused.map(({ id, name }) => (
          <AnchorLink key={id} to="/w/$workspace/accounts/$account/queue" params={{ workspace: slug, account: id }}>
            {t('queue.title', { name })} ›
          </AnchorLink>
        ))}
      </Group>
    </Alert>
  )
}
