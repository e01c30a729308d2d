import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog'
import { useWorkspace } from '../../workspaces/queries'

type Props = { post: Post; opened: boolean; onClose: () => void; onRejected: (post: Post) => void }

/** Asks why a post is rejected. */
export function RejectDialog({ post, opened, onClose, onRejected }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [reason, setReason] = useState('')
  const reject = useMutation({
    mutationFn: () =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/posts/{id}/reject', { params: { path: { id: post.id } }, body: { reason } }),
      ),
    onSuccess: onRejected,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('review.reject_ask')}
      confirm={t('review.reject')}
      mutation={reject}
      onConfirm={() => reject.mutate()}
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
