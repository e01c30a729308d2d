import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AudienceBox } from './AudienceBox'
import { CommentForm } from './CommentForm'
import classes from './comments.module.css'
import { DiscussionItem } from './DiscussionItem'
import { type Audience, type Discussion, reloadComments } from './queries'

type Props = { post_id: string; audience: Audience; all: readonly Discussion[] }

/** The discussions on a post for one audience, open or resolved, and the form for a new one. */
export function DiscussionList({ post_id, audience, all }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const [state, setState] = useState<'open' | 'resolved'>('open')
  const once = useIdempotencyKey()
  const open = all.filter(({ first }) => first.resolved_at === null)
  const resolved = all.filter(({ first }) => first.resolved_at !== null)
  const isResolvedShown = state === 'resolved' && resolved.length > 0
  const shown = isResolvedShown ? resolved : open
  const say = async (text: string) => {
    const body = { body: text, audience }
    const params = { path: { id: post_id } }
    await once(body, (headers) =>
      unwrap(workspaceApi(slug).POST('/api/v1/posts/{id}/comments', { params, body, headers })),
    )
    setState('open')
    await reloadComments(slug, post_id)
  }
  return (
    <Stack>
      {resolved.length > 0 && (
        <SegmentedControl
          aria-label={t('comments.filter')}
          value={isResolvedShown ? 'resolved' : 'open'}
          onChange={(value) => setState(value === 'resolved' ? 'resolved' : 'open')}
          data={[
            { value: 'open', label: t('comments.open', { count: open.length }) },
            { value: 'resolved', label: t('comments.resolved', { count: resolved.length }) },
          ]}
        />
      )}
      {shown.length === 0 && <Text>{t(all.length === 0 ? 'comments.none' : 'comments.none_open')}</Text>}
      {shown.length > 0 && (
        <ul className={classes.discussions} aria-labelledby="comments">
          {shown.map((discussion) => (
            <DiscussionItem key={discussion.first.id} discussion={discussion} />
          ))}
        </ul>
      )}
      {isAtLeast(workspace, 'author') && (
        <AudienceBox audience={audience}>
          <CommentForm
            label={t(audience === 'client' ? 'comments.new_for_client' : 'comments.new')}
            submitLabel={t(audience === 'client' ? 'comments.send_to_client' : 'comments.send')}
            onSubmit={say}
          />
        </AudienceBox>
      )}
    </Stack>
  )
}
