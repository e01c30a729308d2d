import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { reloadClientReview } from './queries'

/** Whether the client gets mails about posts that wait, and the button that changes it. */
export function ClientMails({ id, getsMails }: { id: string; getsMails: boolean }) {
  const { t } = useTranslation()
  const change = useMutation({
    mutationFn: () =>
      unwrap(api.PUT('/api/v1/review/{id}/mails', { params: { path: { id } }, body: { gets_mails: !getsMails } })),
    onSuccess: () => reloadClientReview(id),
  })
  return (
    <>
      <Group gap="xs" my="md">
        <Text fz="sm" c="dimmed" role="status">
          {t(getsMails ? 'client.mails_on' : 'client.mails_off')}
        </Text>
        <Button variant="subtle" size="compact-sm" loading={change.isPending} onClick={() => change.mutate()}>
          {t(getsMails ? 'client.turn_mails_off' : 'client.turn_mails_on')}
        </Button>
      </Group>
      {change.error && <ProblemAlert error={change.error} />}
    </>
  )
}
