import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useDecision } from './decide'

type Props = { post: Post; opened: boolean; onClose: () => void; onRejected?: (post: Post) => void }

/** Asks why a post is rejected. */
export function RejectDialog({ post, opened, onClose, onRejected }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const reject = useDecision(post, onRejected)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('review.reject_ask')}
      confirm={t('review.reject')}
      mutation={reject}
      onConfirm={() => reject.mutate({ reason }, { onSuccess: onClose })}
    >
      <Textarea
        label={t('review.reason')}
        description={t('review.reason_about')}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={1000}
        autosize
        minRows={2}
        required
      />
    </ConfirmDialog>
  )
}
