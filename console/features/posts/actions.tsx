import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, MoreHorizontal, PenLine, RotateCw, Send, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, type Post, workspaceApi } from '../../api'
import { useTell } from '../../ui/useTell'
import { useMe } from '../auth/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { hidePost, showPost } from './queries'

/** What may be done with a post in its state, by whoever is signed in. */
export function useAbilities(post: Pick<Post, 'status' | 'author_id'>) {
  const workspace = useWorkspace()
  const me = useMe()
  const own = isAtLeast(workspace, 'editor') || (isAtLeast(workspace, 'author') && post.author_id === me.id)
  const is = (...states: Post['status'][]) => own && states.includes(post.status)
  return {
    /** Whether it is theirs to change at all, in whatever state. */
    own,
    edit: is('draft', 'scheduled', 'failed'),
    publish: is('draft', 'scheduled'),
    retry: is('failed', 'partially_published'),
    remove: is('draft', 'scheduled', 'failed', 'published', 'partially_published'),
    copy: isAtLeast(workspace, 'author'),
  }
}

/** Publishing at once, trying again, deleting: each shows what came of it. */
export function usePostActions(post: Post) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const path = { params: { path: { id: post.id } } }
  const show = (changed: Post) => showPost(slug, changed)
  const tell = useTell()
  const publish = useMutation({
    mutationFn: () => answered(client.POST('/api/v1/posts/{id}/publish', path)),
    onSuccess: show,
    onError: tell,
  })
  const retry = useMutation({
    mutationFn: () => answered(client.POST('/api/v1/posts/{id}/retry', path)),
    onSuccess: show,
    onError: tell,
  })
  const restore = useMutation({
    mutationFn: () => answered(client.POST('/api/v1/posts/{id}/restore', path)),
    onSuccess: (restored) => {
      show(restored)
      notifications.show({ message: t(restored.status === 'draft' ? 'posts.restored_draft' : 'posts.restored') })
    },
    onError: tell,
  })
  const remove = useMutation({
    mutationFn: () => answered(client.DELETE('/api/v1/posts/{id}', path)),
    onSuccess: () => {
      hidePost(slug, post.id, post.updated_at)
      const id = `deleted-${post.id}`
      const undo = () => {
        notifications.hide(id)
        restore.mutate()
      }
      notifications.show({
        id,
        autoClose: 12_000,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text>{t(post.published_at ? 'posts.deleted_here' : 'posts.deleted')}</Text>
            <Button size="compact-md" variant="light" onClick={undo}>
              {t('ui.undo')}
            </Button>
          </Group>
        ),
      })
    },
    onError: tell,
  })
  return { publish, retry, remove }
}

/** The menu itself is made when it is opened for the first time: a list has many, and they are not light. */
export function PostMenu(props: { post: Post; onRemoved?: () => void }) {
  const { t } = useTranslation()
  const [made, setMade] = useState(false)
  const may = useAbilities(props.post)
  if (!may.own && !may.copy) return null
  if (made) return <OpenedMenu {...props} />
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

function OpenedMenu({ post, onRemoved }: { post: Post; onRemoved?: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const may = useAbilities(post)
  const { publish, retry, remove } = usePostActions(post)
  const params = { workspace: slug, post: post.id }
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  // The button that was pressed is gone: this one stands in its place, and has the focus again when the menu closes.
  useEffect(() => {
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={t('posts.more')}>
          <MoreHorizontal size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may.edit && (
          <Menu.Item
            leftSection={<PenLine size={16} />}
            renderRoot={(props) => <Link to="/w/$workspace/posts/$post/edit" params={params} {...props} />}
          >
            {t('posts.edit')}
          </Menu.Item>
        )}
        {may.publish && (
          <Menu.Item leftSection={<Send size={16} />} onClick={() => publish.mutate()}>
            {t('posts.publish_now')}
          </Menu.Item>
        )}
        {may.retry && (
          <Menu.Item leftSection={<RotateCw size={16} />} onClick={() => retry.mutate()}>
            {t('posts.retry')}
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
  )
}
