import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, CopyPlus, FileText, Lightbulb, MoreHorizontal, PenLine, RotateCw, Send, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Me, type Post, unwrap, type Workspace, workspaceApi } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useUndoNotification } from '../../ui/feedback/useUndoNotification'
import { MenuItemLink } from '../../ui/navigation/MenuItemLink'
import { useMe } from '../auth/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { hidePost, showPost } from './changes'
import { CopyDialog, excerptOf, useCopyTargets } from './copies/CopyDialog'
import { shownStatus } from './PostStatusBadge'

/** `review`: set for a post that can be published. */
type OwnedPost = Pick<Post, 'status' | 'author_id'> & { review?: Post['review']; is_idea?: boolean }

/** The actions the user may perform on a post in its state. */
export const usePostPermissions = (post: OwnedPost) => usePermissions()(post)

/** The same for any post of a list. */
export function usePermissions() {
  const workspace = useWorkspace()
  const me = useMe()
  return (post: OwnedPost) => permissionsOf(workspace, me, post)
}

function permissionsOf(workspace: Workspace, me: Me, post: OwnedPost) {
  const own = isAtLeast(workspace, 'editor') || (isAtLeast(workspace, 'author') && post.author_id === me.id)
  const is = (...states: Post['status'][]) => own && states.includes(post.status)
  return {
    /** Whether the user may change it at all, in any state. */
    own,
    edit: is('draft', 'scheduled', 'failed'),
    publish: is('draft', 'scheduled') && !post.is_idea && post.review !== 'pending' && post.review !== 'rejected',
    /** Whether it can become an idea. */
    shelve:
      is('draft', 'scheduled', 'failed') && !post.is_idea && post.review !== 'pending' && post.review !== 'rejected',
    retry: is('failed', 'partially_published'),
    remove: is('draft', 'scheduled', 'failed', 'published', 'partially_published', 'unpublished'),
    copy: isAtLeast(workspace, 'author'),
  }
}

/** Publish now, make a draft, retry, delete: each shows its result. */
export function usePostActions(post: Post) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const path = { params: { path: { id: post.id } } }
  const show = (changed: Post) => showPost(slug, changed)
  const tell = useErrorNotification()
  const notifyWithUndo = useUndoNotification()
  const publish = useMutation({
    mutationFn: () => unwrap(client.POST('/api/v1/posts/{id}/publish', path)),
    onSuccess: show,
    onError: tell,
  })
  const release = useMutation({
    mutationFn: () => unwrap(client.POST('/api/v1/posts/{id}/release', path)),
    onSuccess: show,
    onError: tell,
  })
  const unschedule = useMutation({
    mutationFn: () => unwrap(client.PATCH('/api/v1/posts/{id}', { ...path, body: { scheduled_at: null } })),
    onSuccess: show,
    onError: tell,
  })
  const setIdea = useMutation({
    mutationFn: (is_idea: boolean) => unwrap(client.PATCH('/api/v1/posts/{id}', { ...path, body: { is_idea } })),
    onSuccess: show,
    onError: tell,
  })
  const retry = useMutation({
    mutationFn: () => unwrap(client.POST('/api/v1/posts/{id}/retry', { ...path, body: {} })),
    onSuccess: show,
    onError: tell,
  })
  const restore = useMutation({
    mutationFn: () => unwrap(client.POST('/api/v1/posts/{id}/restore', path)),
    onSuccess: (restored) => {
      show(restored)
      notifications.show({ message: t(restored.status === 'draft' ? 'posts.restored_draft' : 'posts.restored') })
    },
    onError: tell,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(client.DELETE('/api/v1/posts/{id}', path)),
    onSuccess: () => {
      hidePost(slug, post.id, post.updated_at)
      const message = t(post.published_at ? 'posts.deleted_here' : 'posts.deleted')
      notifyWithUndo(`deleted-${post.id}`, message, () => restore.mutate())
    },
    onError: tell,
  })
  return { publish, release, unschedule, setIdea, retry, remove }
}

/** The menu is mounted when it first opens: a list has many, and they are expensive. */
export function PostMenu(props: { post: Post; onRemoved?: () => void }) {
  const { t } = useTranslation()
  const [made, setMade] = useState(false)
  const may = usePostPermissions(props.post)
  if (!may.own && !may.copy) return null
  if (made) return <PostMenuItems {...props} />
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t('posts.more')}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setMade(true)}
    >
      <MoreHorizontal size={18} />
    </ActionIcon>
  )
}

function PostMenuItems({ post, onRemoved }: { post: Post; onRemoved?: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const may = usePostPermissions(post)
  const { publish, retry, remove, setIdea } = usePostActions(post)
  const params = { workspace: slug, post: post.id }
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const [copying, setCopying] = useState(false)
  const canCopyAway = useCopyTargets().length > 0
  // This button replaces the one that was pressed, and gets the focus back when the menu closes.
  useEffect(() => {
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    <>
      <CopyDialog posts={[excerptOf(post)]} opened={copying} onClose={() => setCopying(false)} />
      <Menu opened={opened} onChange={setOpened} position="bottom-end" width={canCopyAway ? 270 : 210}>
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={t('posts.more')}>
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may.edit && (
            <MenuItemLink to="/w/$workspace/posts/$post/edit" params={params} leftSection={<PenLine size={16} />}>
              {t('posts.edit')}
            </MenuItemLink>
          )}
          {may.publish && shownStatus(post) === post.status && (
            <Menu.Item leftSection={<Send size={16} />} onClick={() => publish.mutate()}>
              {t('posts.publish_now')}
            </Menu.Item>
          )}
          {may.retry && (
            <Menu.Item leftSection={<RotateCw size={16} />} onClick={() => retry.mutate()}>
              {t('posts.retry')}
            </Menu.Item>
          )}
          {may.edit && post.is_idea && (
            <Menu.Item leftSection={<FileText size={16} />} onClick={() => setIdea.mutate(false)}>
              {t('posts.to_draft')}
            </Menu.Item>
          )}
          {may.shelve && shownStatus(post) === post.status && (
            <Menu.Item leftSection={<Lightbulb size={16} />} onClick={() => setIdea.mutate(true)}>
              {t('posts.to_idea')}
            </Menu.Item>
          )}
          {may.copy && (
            <Menu.Item
              leftSection={<Copy size={16} />}
              onClick={() =>
                void navigate({ to: '/w/$workspace/posts/new', params: { workspace: slug }, search: { copy: post.id } })
              }
            >
              {t('posts.duplicate')}
            </Menu.Item>
          )}
          {canCopyAway && (
            <Menu.Item leftSection={<CopyPlus size={16} />} onClick={() => setCopying(true)}>
              {t('copies.action')}
            </Menu.Item>
          )}
          {may.remove && (
            <>
              <Menu.Divider />
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<Trash2 size={16} />}
                onClick={() => remove.mutate(undefined, { onSuccess: () => onRemoved?.() })}
              >
                {t('ui.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
