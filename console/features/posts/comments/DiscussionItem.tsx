import { Badge, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Check, CornerUpLeft, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { focusElement } from '../../../ui/focus/focus'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AudienceBox } from './AudienceBox'
import { CommentForm } from './CommentForm'
import { CommentRow } from './CommentRow'
import classes from './comments.module.css'
import { type Discussion, reloadComments } from './queries'

/** A comment with its replies, which is resolved and reopened as one. */
export function DiscussionItem({ discussion: { first, replies } }: { discussion: Discussion }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const [isReplying, setReplying] = useState(false)
  const once = useIdempotencyKey()
  const client = workspaceApi(slug)
  const { id, post_id, audience, resolved_at, resolved_by } = first
  const reload = () => reloadComments(slug, post_id)
  const settle = useMutation({
    mutationFn: () => {
      const params = { path: { id: post_id, comment_id: id } }
      return unwrap(
        resolved_at
          ? client.POST('/api/v1/posts/{id}/comments/{comment_id}/reopen', { params })
          : client.POST('/api/v1/posts/{id}/comments/{comment_id}/resolve', { params }),
      )
    },
    onSuccess: () => {
      gone.current = true
      return reload()
    },
    onError: useErrorNotification(),
  })
  const stopReplying = () => {
    setReplying(false)
    if (at.current) focusElement(at.current)
  }
  const reply = async (text: string) => {
    const body = { body: text, audience, parent_id: id }
    await once(body, (headers) =>
      unwrap(client.POST('/api/v1/posts/{id}/comments', { params: { path: { id: post_id } }, body, headers })),
    )
    stopReplying()
    await reload()
  }
  const maySay = isAtLeast(workspace, 'author')
  return (
    <li ref={at} className={classes.discussion}>
      <Stack gap="sm">
        <CommentRow comment={first} />
        {replies.length > 0 && (
          <ul className={classes.replies} aria-label={t('comments.replies')}>
            {replies.map((one) => (
              <li key={one.id}>
                <CommentRow comment={one} />
              </li>
            ))}
          </ul>
        )}
        {resolved_at && (
          <Badge variant="light" color="success" tt="none" fw={500} leftSection={<Check size={12} />}>
            {resolved_by ? t('comments.resolved_by', { name: resolved_by.name }) : t('comments.is_resolved')}
          </Badge>
        )}
        {isReplying ? (
          <AudienceBox audience={audience}>
            <CommentForm
              label={t(audience === 'client' ? 'comments.reply_to_client' : 'comments.your_reply')}
              submitLabel={t(audience === 'client' ? 'comments.send_to_client' : 'comments.send_reply')}
              isFocused
              onSubmit={reply}
              onCancel={stopReplying}
            />
          </AudienceBox>
        ) : (
          maySay && (
            <Group gap="xs">
              {first.body !== null && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  leftSection={<CornerUpLeft size={16} />}
                  onClick={() => setReplying(true)}
                >
                  {t('comments.reply')}
                </Button>
              )}
              <Button
                variant="subtle"
                size="compact-md"
                leftSection={resolved_at ? <RotateCcw size={16} /> : <Check size={16} />}
                loading={settle.isPending}
                onClick={() => settle.mutate()}
              >
                {t(resolved_at ? 'comments.reopen' : 'comments.resolve')}
              </Button>
            </Group>
          )
        )}
      </Stack>
    </li>
  )
}
