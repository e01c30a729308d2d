import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Check, ClipboardCheck, ClipboardX, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { useDecision } from './decide'
import { OpenSteps } from './OpenSteps'
import { postReviewQuery } from './queries'
import { RejectDialog } from './RejectDialog'

/** Says on the page of a post that it waits for approval or was rejected, and lets editors decide. */
export function ReviewAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const state = useQuery(postReviewQuery(workspace.slug, post.id, post.updated_at)).data
  const approve = useDecision(post)
  const [isRejecting, { open, close }] = useDisclosure(false)
  const { review, review_reason, review_scheduled_at } = post
  if (review !== 'pending' && review !== 'rejected') return null
  const isPending = review === 'pending'
  // The newest decision comes first.
  const isByClient = !!state?.decisions.at(0)?.client_link
  return (
    <>
      <Alert
        color={isPending ? 'yellow' : 'coral'}
        icon={isPending ? <ClipboardCheck size={20} /> : <ClipboardX size={20} />}
        title={t(isPending ? 'status.in_review' : isByClient ? 'review.change_asked' : 'status.rejected')}
      >
        <Text>
          {isPending
            ? review_scheduled_at
              ? t('review.planned', { time: format.full(review_scheduled_at), zone: workspace.timezone })
              : t('review.no_time')
            : review_reason}
        </Text>
        {state && isPending && <OpenSteps state={state} />}
        {state?.waits_for_you && (
          <Group gap="sm" mt="sm">
            <Button
              leftSection={<Check size={17} />}
              loading={approve.isPending}
              onClick={() => approve.mutate({ approve: true })}
            >
              {t('review.approve')}
            </Button>
            {isPending && (
              <Button variant="default" leftSection={<X size={17} />} onClick={open}>
                {t('review.reject')}
              </Button>
            )}
          </Group>
        )}
      </Alert>
      {approve.error && <ProblemAlert error={approve.error} />}
      <RejectDialog post={post} opened={isRejecting} onClose={close} />
    </>
  )
}
