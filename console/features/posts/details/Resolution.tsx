import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, type Target, unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'

type Props = { post: Post; target: Target; network: string; mayResolve: boolean }

/** Asks the user whether a post is on a network that Meydan cannot ask. Nothing is published there before. */
export function Resolution({ post, target, network, mayResolve }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [url, setUrl] = useState('')
  const resolve = useMutation({
    mutationFn: (published: boolean) => {
      const address = published ? url.trim() : ''
      return unwrap(
        workspaceApi(slug).POST('/api/v1/posts/{id}/targets/{target_id}/resolve', {
          params: { path: { id: post.id, target_id: target.id } },
          body: { published, ...(address && { url: address }) },
        }),
      )
    },
    onSuccess: (changed) => showPost(slug, changed),
  })
  return (
    <Stack gap="xs" role="group" aria-label={t('post.is_it_there', { network })}>
      <Text fz="sm">{t('post.unresolved', { network })}</Text>
      {mayResolve && (
        <>
          <Text fw={600}>{t('post.is_it_there', { network })}</Text>
          {resolve.error && <ProblemAlert error={resolve.error} />}
          <TextInput
            label={t('post.address_there')}
            type="url"
            maxLength={500}
            maw={420}
            placeholder="https://"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Group gap="xs">
            <Button
              size="compact-md"
              loading={resolve.isPending && resolve.variables}
              onClick={() => resolve.mutate(true)}
            >
              {t('post.it_is_there')}
            </Button>
            <Button
              size="compact-md"
              variant="default"
              loading={resolve.isPending && !resolve.variables}
              onClick={() => resolve.mutate(false)}
            >
              {t('post.it_is_not_there')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
