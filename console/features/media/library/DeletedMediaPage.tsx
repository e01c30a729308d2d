import { Button, Card, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../media.module.css'
import { type DeletedMedia, deletedMediaQuery, refreshMedia } from '../queries'
import { Thumbnail } from '../Thumbnail'
import { formatBytes } from './format-bytes'

/** The files deleted in the last 24 hours, which can be restored. */
export function DeletedMediaPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('media.trash'))
  const { slug } = useWorkspace()
  const files = useQuery(deletedMediaQuery(slug))
  return (
    <>
      <BackLink to="/w/$workspace/media" params={{ workspace: slug }}>
        {t('pages.media')}
      </BackLink>
      <PageHeader title={t('media.trash')} about={t('media.trash_about')} />
      {files.error && <ProblemAlert error={files.error} onRetry={() => files.refetch()} />}
      {files.isPending && <LoadingSkeleton lines={4} height={52} />}
      {files.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Trash2 size={26} />} title={t('media.trash_none')}>
            {t('media.trash_none_detail')}
          </EmptyState>
        </Card>
      )}
      {files.data && files.data.length > 0 && (
        <Card component="ul" m={0} py="xs" style={{ listStyle: 'none' }}>
          {files.data.map((media) => (
            <DeletedRow key={media.id} media={media} />
          ))}
        </Card>
      )}
    </>
  )
}

function DeletedRow({ media }: { media: DeletedMedia }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const format = useFormat(workspace.timezone)
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const restore = useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(slug).POST('/api/v1/media/{id}/restore', { params: { path: { id: media.id } } })),
    onSuccess: () => {
      gone.current = true
      notifications.show({ message: t('media.restored') })
      return refreshMedia(slug)
    },
    onError: useErrorNotification(),
  })
  return (
    <li ref={at} className={classes.deleted}>
      <Thumbnail {...media} alt="" thumbnail_url={null} isDecorative />
      <div style={{ minWidth: 0 }}>
        <Text truncate dir="auto">
          {media.name}
        </Text>
        <Text fz="sm" c="dimmed">
          {formatBytes(format.locale, media.bytes)} · {t('trash.deleted', { ago: format.ago(media.deleted_at) })}
        </Text>
      </div>
      {isAtLeast(workspace, 'author') && (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<RotateCcw size={15} />}
          loading={restore.isPending}
          aria-label={t('trash.restore_one', { text: media.name })}
          onClick={() => restore.mutate()}
        >
          {t('trash.restore')}
        </Button>
      )}
    </li>
  )
}
