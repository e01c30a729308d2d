import { Alert, Button, Group, type MantineSpacing, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { OctagonX, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { postCountsQuery } from './queries'

/** The number of posts that are held since their agents were stopped, with a link to them and a way to let all go. */
export function StoppedPosts({ mb }: { mb?: MantineSpacing }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const [opened, { open, close }] = useDisclosure(false)
  const counts = useQuery({ ...postCountsQuery(slug), enabled: isAtLeast(workspace, 'editor') }).data
  const release = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/posts/release')),
    onSuccess: ({ released }) => {
      close()
      notifications.show({ message: t('held.released', { count: released }) })
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: postCountsQuery(slug).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['posts', slug] }),
      ]),
  })
  if (!counts?.stopped) return null
  return (
    <Alert
      component="section"
      {...(mb && { mb })}
      color="orange"
      icon={<OctagonX size={20} />}
      title={t('held.stopped', { count: counts.stopped })}
    >
      <Text>{t('held.stopped_about_all')}</Text>
      <Group gap="sm" mt="sm">
        <ButtonLink to="/w/$workspace/posts" params={{ workspace: slug }} search={{ held: 'agents_stopped' }}>
          {t('held.look')}
        </ButtonLink>
        <Button variant="default" leftSection={<Play size={17} />} onClick={open}>
          {t('held.release_all')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t('held.release_ask')}
        confirm={t('held.release_all')}
        mutation={release}
        onConfirm={() => release.mutate()}
      >
        {t('held.release_detail')}
      </ConfirmDialog>
    </Alert>
  )
}
