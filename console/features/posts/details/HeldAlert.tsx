import { Alert, Button, Group, Text } from '@mantine/core'
import { ClockAlert, FileText, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { usePostActions, usePostPermissions } from '../PostActions'

/** Says on the page of a post that it is held because it was late, and lets its editors decide. */
export function HeldAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const may = usePostPermissions(post)
  const { publish, unschedule } = usePostActions(post)
  if (!post.held) return null
  return (
    <Alert color="orange" icon={<ClockAlert size={20} />} title={t('held.title')}>
      <Text>{t('held.about')}</Text>
      {may.publish && (
        <Group gap="sm" mt="sm">
          <Button leftSection={<Send size={17} />} loading={publish.isPending} onClick={() => publish.mutate()}>
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
