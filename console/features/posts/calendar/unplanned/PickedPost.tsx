import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../../api'
import classes from './UnplannedList.module.css'

/** Says how to choose a cell of the calendar for a post. */
export function PickedPost({ post, onCancel }: { post: PostSummary; onCancel: () => void }) {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" gap="sm" mb="sm" className={classes.picked}>
      <Text fz="sm" role="status">
        {t('calendar_unplanned.picked', { text: post.excerpt.slice(0, 60) || t('posts.empty') })}
      </Text>
      <Button variant="default" size="compact-md" onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
    </Group>
  )
}
