import { Alert, Button, Group, Text } from '@mantine/core'
import { ClockAlert, FileText, OctagonX, Play, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { usePostActions, usePostPermissions } from '../PostActions'

/** Says on the page of a post why it is held, and lets its editors decide. */
export function HeldAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const may = usePostPermissions(post)
  const { publish, release, unschedule } = usePostActions(post)
  if (!post.held) return null
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
