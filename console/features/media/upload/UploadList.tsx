import { ActionIcon, Group, Progress, Text } from '@mantine/core'
import { RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import classes from '../media.module.css'
import type { Upload } from './useUploads'

type Props = { uploads: Upload[]; onCancel: (upload: Upload) => void; onRetry: (upload: Upload) => void }

/** The files that are being uploaded, and those that failed with the reason. */
export function UploadList({ uploads, onCancel, onRetry }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (uploads.length === 0) return null
  return (
    <ul className={classes.uploads} aria-label={t('media.uploads')}>
      {uploads.map((upload) => {
        const { key, file, sent, error } = upload
        const percent = format.number(Math.round(sent * 100))
        return (
          <li key={key}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text truncate fz="sm" dir="auto">
                {file.name}
              </Text>
              <Group gap={4} wrap="nowrap">
                {error === undefined && (
                  <Text fz="sm" c="dimmed" className="tabular">
                    {t('media.percent', { percent })}
                  </Text>
                )}
                {error !== undefined && (
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('media.retry', { name: file.name })}
                    onClick={() => onRetry(upload)}
                  >
                    <RotateCw size={16} />
                  </ActionIcon>
                )}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t(error === undefined ? 'media.cancel' : 'media.dismiss', { name: file.name })}
                  onClick={() => onCancel(upload)}
                >
                  <X size={16} />
                </ActionIcon>
              </Group>
            </Group>
            {error === undefined ? (
              <Progress value={sent * 100} size="sm" aria-label={file.name} />
            ) : (
              <Text fz="sm" c="var(--mantine-color-error)" role="alert">
                <ProblemText error={error} />
              </Text>
            )}
          </li>
        )
      })}
    </ul>
  )
}
