import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { deletedWorkspacesQuery, useWorkspace } from '../queries'
import { useOpenNextWorkspace } from '../useOpenNextWorkspace'

/** Lets owners delete the workspace. They type its name, to prevent mistakes. */
export function DeleteWorkspace() {
  const { t } = useTranslation()
  const { name } = useWorkspace()
  const [asking, ask] = useDisclosure(false)
  return (
    <Card component="section" aria-labelledby="danger" style={{ borderColor: 'var(--mantine-color-coral-5)' }}>
      <Group justify="space-between" gap="md">
        <div style={{ flex: 1, minWidth: 'min(100%, 18rem)' }}>
          <Title order={2} size="h3" id="danger">
            {t('settings.delete')}
          </Title>
          <Text c="dimmed">{t('settings.delete_about')}</Text>
        </div>
        <Button
          color="coral"
          variant="outline"
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} />}
          onClick={ask.open}
        >
          {t('settings.delete')}
        </Button>
      </Group>
      <Dialog opened={asking} onClose={ask.close} title={t('settings.delete_ask', { name })}>
        <DeleteForm onCancel={ask.close} />
      </Dialog>
    </Card>
  )
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const goElsewhere = useOpenNextWorkspace()
  const form = useForm({ initialValues: { name: '' } })
  const remove = useFormSubmit(form, {
    mutationFn: (body) => unwrap(workspaceApi(workspace.slug).DELETE('/api/v1/workspace', { body })),
    onSuccess: async () => {
      notifications.show({ message: t('settings.deleted', { name: workspace.name }) })
      await goElsewhere(workspace)
      await queryClient.invalidateQueries({ queryKey: deletedWorkspacesQuery.queryKey })
    },
  })
  return (
    <form onSubmit={remove.onSubmit} noValidate>
      <Stack>
        <Text>{t('settings.delete_detail')}</Text>
        {remove.problem && <ProblemAlert error={remove.problem} />}
        <TextInput
          label={t('settings.delete_type', { name: workspace.name })}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DialogActions>
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            color="coral"
            loading={remove.isPending}
            disabled={form.values.name.trim().normalize('NFC') !== workspace.name.normalize('NFC')}
          >
            {t('settings.delete')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
