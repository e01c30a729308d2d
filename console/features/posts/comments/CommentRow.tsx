import { ActionIcon, Avatar, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { focusElement } from '../../../ui/focus/focus'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useFormat } from '../../../ui/text/format'
import { useNow } from '../../../ui/text/useNow'
import { useMe } from '../../auth/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AudienceBox } from './AudienceBox'
import { CommentForm } from './CommentForm'
import { CommentText } from './CommentText'
import classes from './comments.module.css'
import { type Comment, reloadComments } from './queries'

/** Time in which a comment can be edited, as in the API. */
const EDITABLE_MS = 15 * 60_000

/** One comment. Its author can edit it for a while. Its author and editors can delete it. */
export function CommentRow({ comment }: { comment: Comment }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const format = useFormat(workspace.timezone)
  const me = useMe()
  const now = useNow()
  const { gone, at } = useFocusAfterRemoval<HTMLDivElement>()
  const [isEditing, setEditing] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const { id, post_id, author, client: written, audience, body, mentions, created_at, edited_at, version } = comment
  const path = { id: post_id, comment_id: id }
  const client = workspaceApi(slug)
  const remove = useMutation({
    mutationFn: () => unwrap(client.DELETE('/api/v1/posts/{id}/comments/{comment_id}', { params: { path } })),
    onSuccess: async () => {
      gone.current = true
      setAsked(false)
      await reloadComments(slug, post_id)
    },
  })
  const stopEditing = () => {
    setEditing(false)
    if (at.current) focusElement(at.current)
  }
  const save = async (changed: string) => {
    await unwrap(
      client.PATCH('/api/v1/posts/{id}/comments/{comment_id}', {
        params: { path },
        body: { body: changed },
        headers: { 'if-match': `"${version}"` },
      }),
    ).finally(() => reloadComments(slug, post_id))
    stopEditing()
  }
  if (body === null)
    return (
      <Text c="dimmed" fs="italic">
        {t('comments.deleted')}
      </Text>
    )
  const own = author?.id === me.id && isAtLeast(workspace, 'author')
  const name = written?.name ?? author?.name ?? t('comments.former_member')
  const isEditable = own && now.getTime() - Date.parse(created_at) < EDITABLE_MS
  return (
    <div className={classes.comment} ref={at}>
      <Avatar size={32} name={name} aria-hidden="true" />
      <div className={classes.content}>
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <div className={classes.author}>
            <Text span fw={600} dir="auto">
              {written ? t('comments.says_to_be', { name }) : name}
            </Text>{' '}
            {written && (
              <Text span fz="sm" c="dimmed" dir="auto">
                {written.client_link.name} ·{' '}
              </Text>
            )}
            <Text span fz="sm" c="dimmed">
              <time dateTime={created_at} title={format.full(created_at)}>
                {format.ago(created_at)}
              </time>
              {edited_at && ` · ${t('comments.edited')}`}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            {isEditable && !isEditing && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('comments.edit')}
                onClick={() => setEditing(true)}
              >
                <Pencil size={16} />
              </ActionIcon>
            )}
            {(own || isAtLeast(workspace, 'editor')) && !isEditing && (
              <ActionIcon
                variant="subtle"
                color="coral"
                size="lg"
                aria-label={t('comments.delete_of', { name })}
                onClick={() => setAsked(true)}
              >
                <Trash2 size={16} />
              </ActionIcon>
            )}
          </Group>
        </Group>
        {isEditing ? (
          <AudienceBox audience={audience}>
            <CommentForm
              label={t('comments.edit')}
              submitLabel={t('comments.save')}
              body={body}
              isFocused
              onSubmit={save}
              onCancel={stopEditing}
            />
          </AudienceBox>
        ) : (
          <CommentText body={body} mentions={mentions} />
        )}
      </div>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('comments.delete_ask')}
        confirm={t('comments.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        {t('comments.delete_detail')}
      </ConfirmDialog>
    </div>
  )
}
