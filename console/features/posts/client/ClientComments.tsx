import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { LinkedText } from '../../../ui/text/LinkedText'
import { ClientCommentForm } from './ClientCommentForm'
import classes from './client.module.css'
import { type ClientComment, type ClientReview, clientCommentsQuery, type ReviewedPost } from './queries'

type Props = { id: string; review: ClientReview; post: ReviewedPost }

/** The comments of the client and the team on a post. */
export function ClientComments({ id, review, post }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!review.may_decide && post.comments === 0) return null
  return (
    <div className={classes.comments}>
      <Button
        variant="subtle"
        size="md"
        px="xs"
        leftSection={<MessageCircle size={18} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {post.comments === 0 ? t('client.comment') : t('client.comments', { count: post.comments })}
      </Button>
      {isOpen && <Discussions {...{ id, review, post }} />}
    </div>
  )
}

function Discussions({ id, review, post }: Props) {
  const { t } = useTranslation()
  const { data, error, isPending, refetch } = useQuery(clientCommentsQuery(id, post.id))
  const [replied, setReplied] = useState<string>()
  const form = { id, post_id: post.id }
  return (
    <Stack gap="md" mt="xs">
      {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
      {isPending && <LoadingSkeleton lines={1} height={48} />}
      {data && data.length > 0 && (
        <ul className={classes.list} aria-label={t('client.comments_title')}>
          {data
            .filter(({ parent_id }) => parent_id === null)
            .map((first) => (
              <li key={first.id}>
                <OneComment comment={first} timezone={review.timezone} />
                <ul className={classes.replies} aria-label={t('client.replies')}>
                  {data
                    .filter(({ parent_id }) => parent_id === first.id)
                    .map((reply) => (
                      <li key={reply.id}>
                        <OneComment comment={reply} timezone={review.timezone} />
                      </li>
                    ))}
                </ul>
                {review.may_decide && first.body !== null && replied !== first.id && (
                  <Button variant="subtle" size="compact-md" px={0} onClick={() => setReplied(first.id)}>
                    {t('client.reply')}
                  </Button>
                )}
                {replied === first.id && (
                  <ClientCommentForm
                    {...form}
                    parent_id={first.id}
                    label={t('client.your_reply')}
                    onDone={() => setReplied(undefined)}
                  />
                )}
              </li>
            ))}
        </ul>
      )}
      {review.may_decide && replied === undefined && <ClientCommentForm {...form} label={t('client.your_comment')} />}
    </Stack>
  )
}

function OneComment({ comment, timezone }: { comment: ClientComment; timezone: string }) {
  const { t } = useTranslation()
  const format = useFormat(timezone)
  const { written_by, name, body, created_at, resolved_at } = comment
  if (body === null)
    return (
      <Text c="dimmed" fs="italic">
        {t('client.comment_deleted')}
      </Text>
    )
  return (
    <>
      <Group gap={6}>
        <Text fw={600} dir="auto">
          {name ?? t('client.team')}
        </Text>
        <Text fz="sm" c="dimmed">
          {written_by === 'team' && name !== null && `${t('client.team')} · `}
          <time dateTime={created_at} title={format.full(created_at)}>
            {format.ago(created_at)}
          </time>
        </Text>
      </Group>
      <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <LinkedText text={body} />
      </Text>
      {resolved_at && (
        <Alert color="green" p="xs" mt="xs">
          {t('client.resolved')}
        </Alert>
      )}
    </>
  )
}
