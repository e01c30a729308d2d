import { Anchor, Box, Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { Logo } from '../../ui/layout/Logo'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { currentLocale } from '../../ui/text/format'
import { browserZone } from '../../ui/text/time-zone'
import { useSignOut } from '../auth/mutations'
import { meQuery } from '../auth/queries'
import { SessionEndedDialog } from '../auth/SessionEndedDialog'
import { DeletedWorkspaces } from './DeletedWorkspaces'
import { WorkspaceNameField, ZoneField } from './fields'
import { workspacesQuery } from './queries'

export function NewWorkspacePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('workspace.new'))
  const navigate = useNavigate()
  const search = getRouteApi('/signed-in/new-workspace').useSearch()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const me = useSuspenseQuery(meQuery).data
  const form = useForm({ initialValues: { name: '', timezone: browserZone() } })
  const create = useFormSubmit(form, {
    mutationFn: (values) => unwrap(api.POST('/api/v1/workspaces', { body: { ...values, locale: currentLocale() } })),
    onSuccess: async (workspace) => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      const params = { workspace: workspace.slug }
      await navigate(
        search.plan ? { to: '/w/$workspace/billing/plans', params, search } : { to: '/w/$workspace', params },
      )
    },
  })
  const leave = useSignOut()
  return (
    <Box component="main" maw={480} mx="auto" px="md" py={64}>
      <Logo size={40} />
      <Box mt="lg" />
      <PageHeader
        title={workspaces.length ? t('workspace.new') : t('workspace.first')}
        about={t('workspace.new_about')}
      />
      <form onSubmit={create.onSubmit} noValidate>
        <Stack>
          {create.problem && <ProblemAlert error={create.problem} />}
          <WorkspaceNameField {...form.getInputProps('name')} />
          <ZoneField {...form.getInputProps('timezone')} />
          <Group justify="space-between">
            <Button type="submit" loading={create.isPending}>
              {t('workspace.create')}
            </Button>
            {workspaces.length > 0 ? (
              <Anchor component={Link} to="/">
                {t('ui.cancel')}
              </Anchor>
            ) : (
              <Group>
                {me.is_instance_admin && <AnchorLink to="/admin/outbox">{t('pages.outbox')}</AnchorLink>}
                <AnchorLink to="/profile">{t('pages.profile')}</AnchorLink>
                <Anchor component="button" type="button" onClick={() => leave.mutate()}>
                  {t('account_menu.sign_out')}
                </Anchor>
              </Group>
            )}
          </Group>
        </Stack>
      </form>
      <Box mt={48} />
      <DeletedWorkspaces />
      <SessionEndedDialog me={me} />
    </Box>
  )
}
