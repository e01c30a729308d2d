import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { type Post, type PostSummary, queryClient, unwrap, type Workspace, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { problemMessage } from '../../../ui/feedback/problem'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useNetworkNames } from '../../networks/queries'
import { isAtLeast, useWorkspace, workspacesQuery } from '../../workspaces/queries'
import { callForEach } from '../list/selection'
import classes from './CopyDialog.module.css'

type CopiedPost = components['schemas']['CopiedPost']
type Listed = Pick<PostSummary, 'id' | 'excerpt'>
type Copy = { post: Listed; result: CopiedPost }
type Failed = { post: Listed; message: string }

/** The other workspaces in which the user may write posts. */
export function useCopyTargets() {
  const { id } = useWorkspace()
  return useSuspenseQuery(workspacesQuery).data.filter((one) => one.id !== id && isAtLeast(one, 'author'))
}

const MAX_TEXT = 60

/** Posts of lists have the beginning of their text only. */
export const excerptOf = ({ id, content }: Post): Listed => ({ id, excerpt: withMentionNames(content) })

/** Copies posts to another workspace, one after the other, and then links to the copies. */
export function CopyDialog({ posts, opened, onClose }: { posts: Listed[]; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('copies.title', { count: posts.length })}>
      <CopyForm posts={posts} onClose={onClose} />
    </Dialog>
  )
}

function CopyForm({ posts, onClose }: { posts: Listed[]; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const targets = useCopyTargets()
  const [chosen, setChosen] = useState<string | null>(targets.length === 1 ? (targets[0]?.id ?? null) : null)
  const [done, setDone] = useState<number>()
  const [copies, setCopies] = useState<Copy[]>([])
  const [failures, setFailures] = useState<Failed[]>([])
  const once = useIdempotencyKey()
  const target = targets.find(({ id }) => id === chosen)
  // The button that was pressed is gone then.
  const isDone = copies.length === posts.length
  const remaining = posts.filter(({ id }) => !copies.some(({ post }) => post.id === id))

  async function copy({ id: workspace_id, slug: other }: Workspace) {
    setFailures([])
    const call = ({ id }: Listed) =>
      once({ id, workspace_id }, (headers) =>
        unwrap(
          workspaceApi(slug).POST('/api/v1/posts/{id}/copy', {
            params: { path: { id } },
            headers,
            body: { workspace_id },
          }),
        ),
      )
    const made = await callForEach(remaining, call, setDone, (error) => problemMessage(t, error))
    setDone(undefined)
    setCopies([...copies, ...made.results])
    setFailures(made.failures)
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === other })
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (target) void copy(target)
      }}
    >
      <Stack>
        {copies.length === 0 && (
          <>
            <Text c="dimmed" fz="sm">
              {t('copies.about')}
            </Text>
            <Select
              label={t('copies.workspace')}
              data={targets.map(({ id, name }) => ({ value: id, label: name }))}
              value={chosen}
              onChange={setChosen}
              disabled={done !== undefined}
              searchable={targets.length > 7}
              allowDeselect={false}
              required
            />
          </>
        )}
        <div role="status">
          {done !== undefined && <Text fz="sm">{t('bulk.progress', { done, total: remaining.length })}</Text>}
          {target && copies.length > 0 && <Copies copies={copies} target={target} />}
        </div>
        {failures.length > 0 && (
          <Alert color="coral" role="alert" title={t('copies.failed', { count: failures.length })}>
            <ul className={classes.list}>
              {failures.map(({ post, message }) => (
                <li key={post.id}>
                  <q dir="auto">{post.excerpt.slice(0, MAX_TEXT) || t('posts.empty')}</q>: {message}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <DialogActions>
          <Button key={isDone ? 'close' : 'cancel'} variant="default" autoFocus={isDone} onClick={onClose}>
            {t(copies.length > 0 ? 'ui.close' : 'ui.cancel')}
          </Button>
          {remaining.length > 0 && (
            <Button type="submit" disabled={!target} loading={done !== undefined}>
              {t(copies.length > 0 ? 'ui.again' : 'copies.submit')}
            </Button>
          )}
        </DialogActions>
      </Stack>
    </form>
  )
}

function Copies({ copies, target }: { copies: Copy[]; target: Workspace }) {
  const { t } = useTranslation()
  return (
    <Alert color="success" title={t('copies.done', { count: copies.length, name: target.name })}>
      <ul className={classes.list}>
        {copies.map(({ post, result }) => (
          <li key={post.id}>
            <AnchorLink
              to="/w/$workspace/posts/$post"
              params={{ workspace: target.slug, post: result.post.id }}
              dir="auto"
            >
              {t('copies.open', { text: excerptOf(result.post).excerpt.slice(0, MAX_TEXT) || t('posts.empty') })}
            </AnchorLink>
            <LeftOut result={result} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** Accounts and files that the copy lacks, so that the user chooses something else there. */
function LeftOut({ result: { left_out_accounts, left_out_media_ids } }: { result: CopiedPost }) {
  const { t } = useTranslation()
  const networkName = useNetworkNames()
  return (
    <>
      {left_out_accounts.map(({ account_id, network, handle, left_out_fields }) => (
        <Text key={account_id} fz="sm">
          {t(left_out_fields.length > 0 ? 'copies.left_out_version' : 'copies.left_out_account', {
            account: `${networkName(network)} @${handle.replace(/^@/, '')}`,
          })}
        </Text>
      ))}
      {left_out_media_ids.length > 0 && (
        <Text fz="sm">{t('copies.left_out_files', { count: left_out_media_ids.length })}</Text>
      )}
    </>
  )
}
