import { Button, Group, type PasswordInputProps, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../ui/dialog/Dialog'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../ui/fields/AccessiblePasswordInput'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { optionsQuery } from '../options/queries'
import { setApiKey, useRemoveKey } from './mutations'
import { keyInUse, providerName } from './provider-info'
import { type AiModel, invalidateModels } from './queries'

type Props = { model: AiModel; opened: boolean; onClose: () => void }

/** Sets or replaces the model's own key. */
export function KeyDialog({ model, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { name } = model
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(model.api_key.set ? 'admin.models.key_replace_of' : 'admin.models.key_set_of', { name })}
    >
      <KeyForm model={model} onClose={onClose} />
    </Dialog>
  )
}

function KeyForm({ model, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { api_key: '' } })
  const save = useFormSubmit(form, {
    mutationFn: ({ api_key }) => setApiKey(model, api_key.trim()),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('admin.models.key_saved', { name: model.name }) })
      return invalidateModels()
    },
  })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack>
        {save.problem && <ProblemAlert error={save.problem} />}
        <KeyField {...form.getInputProps('api_key')} />
        <Text c="dimmed" fz="sm">
          {t('admin.models.key_about')}
        </Text>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={form.values.api_key.trim() === ''}>
            {t('admin.models.key_save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

/** Password managers must not treat it as one of the user's passwords. */
export function KeyField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <AccessiblePasswordInput
      label={t('admin.models.key')}
      autoComplete="new-password"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      maxLength={500}
      visibilityToggleButtonProps={{ 'aria-label': t('admin.secret_show') }}
      {...props}
    />
  )
}

function RemoveKey({ model, opened, onClose }: Props) {
  const { t } = useTranslation()
  const options = useQuery(optionsQuery).data ?? []
  const { name, provider } = model
  const { source } = keyInUse({ provider, api_key: { set: false, last4: null } }, options)
  const remove = useRemoveKey(model, () => {
    onClose()
    notifications.show({ message: t('admin.models.key_removed', { name }) })
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('admin.models.key_remove_ask', { name })}
      confirm={t('admin.models.key_remove')}
      mutation={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text>
        {t(`admin.models.after_key_removal.${source === 'model' ? 'missing' : source}`, {
          vendor: providerName(t, provider),
        })}
      </Text>
    </ConfirmDialog>
  )
}

export function KeyActions({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const [doing, setDoing] = useState<'set' | 'remove'>()
  const close = () => setDoing(undefined)
  const { set } = model.api_key
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setDoing('set')}>
        {t(set ? 'admin.models.key_replace' : 'admin.models.key_set')}
      </Button>
      {set && (
        <Button
          variant="subtle"
          color="coral"
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} />}
          onClick={() => setDoing('remove')}
        >
          {t('admin.models.key_remove')}
        </Button>
      )}
      <KeyDialog model={model} opened={doing === 'set'} onClose={close} />
      <RemoveKey model={model} opened={doing === 'remove'} onClose={close} />
    </Group>
  )
}
