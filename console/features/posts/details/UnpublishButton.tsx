import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useFormat } from '../../../ui/text/format'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'
import { usePostPermissions } from '../PostActions'

/** Deletes a published post on the networks that allow it, after naming them. */
export function UnpublishButton({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const may = usePostPermissions(post)
  const networks = useNetworks().data ?? []
  const [opened, setOpened] = useState(false)
  const unpublish = useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(slug).POST('/api/v1/posts/{id}/unpublish', { params: { path: { id: post.id } } })),
    onSuccess: (changed) => {
      showPost(slug, changed)
      setOpened(false)
    },
  })
  const published = post.targets.filter(({ status, published_parts }) => status === 'published' || published_parts > 0)
  const namesOf = (canDelete: boolean) => {
    const found = networks.filter(
      ({ id, capabilities }) =>
        capabilities.delete === canDelete &&
        published.some(({ network, status }) => network === id && status !== 'unpublished'),
    )
    return found.length ? format.list(found.map(({ name }) => name)) : undefined
  }
  const names = namesOf(true)
  const kept = namesOf(false)
  const isOver = post.status === 'published' || post.status === 'partially_published'
  if (!may.own || !isOver || !names) return null
  return (
    <>
      <Button variant="default" leftSection={<CloudOff size={17} />} onClick={() => setOpened(true)}>
        {t('post.unpublish')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('post.unpublish_ask')}
        confirm={t('post.unpublish')}
        mutation={unpublish}
        onConfirm={() => unpublish.mutate()}
      >
        <Text>{t('post.unpublish_detail', { networks: names })}</Text>
        {kept && <Text mt="xs">{t('post.unpublish_kept', { networks: kept })}</Text>}
      </ConfirmDialog>
    </>
  )
}
