import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../ui/text/format'
import { saveFile } from '../../../ui/text/save-file'
import { useWorkspace } from '../../workspaces/queries'

/** Saves all posts of the workspace and their numbers as CSV. */
export function ExportButton() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { csvSeparator } = useFormat()
  const onError = useErrorNotification()
  const download = useMutation({
    mutationFn: () =>
      unwrap<unknown>(
        workspaceApi(slug).GET('/api/v1/posts/export.csv', {
          params: { query: { separator: csvSeparator } },
          parseAs: 'text',
        }),
      ),
    onSuccess: (csv) => saveFile(`${slug}-posts.csv`, String(csv), 'text/csv'),
    onError,
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<Download size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('posts.export')}
    </Button>
  )
}
