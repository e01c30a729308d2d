import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiProblem, api, isCode, isSignedOut, queryClient, unwrap } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { workspacesQuery } from '../../workspaces/queries'
import { rememberSignedIn } from '../sign-in'
import { PasswordForm } from './PasswordForm'
import { ProfileSection } from './ProfileSection'

export function DeleteAccountSection() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure(false)
  const leave = async () => {
    rememberSignedIn(false)
    await navigate({ to: '/sign-in', search: { told: 'deleted' }, ignoreBlocker: true })
    queryClient.clear()
    isSignedOut.set(false)
  }
  return (
    <ProfileSection title={t('profile.delete')} about={t('profile.delete_about')}>
      <Button variant="light" color="coral" onClick={open}>
        {t('profile.delete')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('profile.delete_ask')}>
        <PasswordForm
          submit={t('profile.delete_do')}
          color="coral"
          send={(password) => unwrap(api.DELETE('/api/v1/me', { body: { password } }))}
          problem={(error) => <Refusal error={error} />}
          onDone={leave}
          onCancel={close}
        >
          <Stack gap="xs">
            <Text>{t('profile.delete_detail')}</Text>
            <List size="md" spacing={4}>
              <List.Item>{t('profile.delete_gone')}</List.Item>
              <List.Item>{t('profile.delete_stays')}</List.Item>
            </List>
            <Text fw={600}>{t('profile.delete_final')}</Text>
          </Stack>
        </PasswordForm>
      </Dialog>
    </ProfileSection>
  )
}

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  if (!(error instanceof ApiProblem)) return <ProblemAlert error={error} />
  const { state, workspace_ids = [] } = error.problem
  if (isCode(error, 'last_owner'))
    return (
      <Alert color="coral" title={t('profile.last_owner')} role="alert">
        <Text>{t('profile.last_owner_detail')}</Text>
        <List mt="xs" size="md">
          {workspaces
            .filter(({ id }) => workspace_ids.includes(id))
            .map(({ id, slug, name }) => (
              <List.Item key={id}>
                <AnchorLink to="/w/$workspace" params={{ workspace: slug }}>
                  {name}
                </AnchorLink>
              </List.Item>
            ))}
        </List>
      </Alert>
    )
  if (state === 'last_instance_admin')
    return (
      <Alert color="coral" title={t('profile.last_admin')} role="alert">
        {t('profile.last_admin_detail')}
      </Alert>
    )
  return <ProblemAlert error={error} />
}
