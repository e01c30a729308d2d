import { Anchor, Box, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient } from '../../api'
import { currentLocale } from '../../ui/format'
import { Mark } from '../../ui/Mark'
import { fieldProblems } from '../../ui/problem'
import { PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { browserZone, zones } from '../../ui/zones'
import { meQuery, signOut } from '../auth/queries'
import { workspacesQuery } from './queries'

export function NewWorkspace() {
  const { t } = useTranslation()
  useTitle(t('workspace.new'))
  const navigate = useNavigate()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const { is_instance_admin } = useSuspenseQuery(meQuery).data
  const form = useForm({ initialValues: { name: '', timezone: browserZone() } })
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      answered(api.POST('/api/v1/workspaces', { body: { ...values, locale: currentLocale() } })),
    onSuccess: async (workspace) => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      await navigate({ to: '/w/$workspace', params: { workspace: workspace.slug } })
    },
    onError: (error) => form.setErrors(fieldProblems(t, error)),
  })
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => navigate({ to: '/sign-in' }) })
  return (
    <Box component="main" maw={480} mx="auto" px="md" py={64}>
      <Mark size={40} />
      <Box mt="lg" />
      <PageHead
        title={workspaces.length ? t('workspace.new') : t('workspace.first')}
        about={t('workspace.new_about')}
      />
      <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
        <Stack>
          {create.error && Object.keys(form.errors).length === 0 && <Problem error={create.error} />}
          <TextInput
            label={t('workspace.name')}
            description={t('workspace.name_about')}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Select
            label={t('workspace.timezone')}
            description={t('workspace.timezone_about')}
            data={zones()}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('ui.nothing_found')}
            {...form.getInputProps('timezone')}
          />
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
                {is_instance_admin && (
                  <Anchor renderRoot={(props) => <Link to="/admin/outbox" {...props} />}>{t('rooms.outbox')}</Anchor>
                )}
                <Anchor component="button" type="button" onClick={() => leave.mutate()}>
                  {t('account_menu.sign_out')}
                </Anchor>
              </Group>
            )}
          </Group>
        </Stack>
      </form>
    </Box>
  )
}
