import { Button, Group, type PasswordInputProps, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/Confirm'
import { Dialog } from '../../ui/Dialog'
import { Password } from '../../ui/Password'
import { Problem } from '../../ui/screens'
import { useSubmit } from '../../ui/useSubmit'
import { optionsQuery } from '../options/queries'
import { sendKey, useRemoveKey } from './acts'
import { type AiModel, readModelsAnew } from './queries'
import { keyInUse, vendorName } from './vendors'

type Props = { model: AiModel; opened: boolean; onClose: () => void }

/** Gives the model a key of its own, another one, or takes it away. */
export function KeyDialog({ model, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { name } = model
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(model.api_key.set ? 'desk.models.key_replace_of' : 'desk.models.key_set_of', { name })}
    >
      <KeyForm model={model} onClose={onClose} />
    </Dialog>
  )
}

function KeyForm({ model, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { api_key: '' } })
  const save = useSubmit(form, {
    mutationFn: ({ api_key }) => sendKey(model, api_key.trim()),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('desk.models.key_saved', { name: model.name }) })
      return readModelsAnew()
    },
  })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack>
        {save.problem && <Problem error={save.problem} />}
        <KeyField {...form.getInputProps('api_key')} />
        <Text c="dimmed" fz="sm">
          {t('desk.models.key_about')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={form.values.api_key.trim() === ''}>
            {t('desk.models.key_save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** No manager of passwords takes it for one of the person's own. */
export function KeyField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <Password
      label={t('desk.models.key')}
      autoComplete="new-password"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      maxLength={500}
      visibilityToggleButtonProps={{ 'aria-label': t('desk.secret_show') }}
      {...props}
    />
  )
}

export function RemoveKey({ model, opened, onClose }: Props) {
  const { t } = useTranslation()
  const options = useQuery(optionsQuery).data ?? []
  const { name, provider } = model
  const { source } = keyInUse({ provider, api_key: { set: false, last4: null } }, options)
  const remove = useRemoveKey(model, () => {
    onClose()
    notifications.show({ message: t('desk.models.key_removed', { name }) })
  })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('desk.models.key_remove_ask', { name })}
      confirm={t('desk.models.key_remove')}
      act={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text>
        {t(`desk.models.key_then.${source === 'model' ? 'missing' : source}`, { vendor: vendorName(t, provider) })}
      </Text>
    </Confirm>
  )
}

/** A model's key, and what can be done with it. */
export function KeyActs({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const [doing, setDoing] = useState<'set' | 'remove'>()
  const close = () => setDoing(undefined)
  const { set } = model.api_key
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setDoing('set')}>
        {t(set ? 'desk.models.key_replace' : 'desk.models.key_set')}
      </Button>
      {set && (
        <Button
          variant="subtle"
          color="coral"
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} />}
          onClick={() => setDoing('remove')}
        >
          {t('desk.models.key_remove')}
        </Button>
      )}
      <KeyDialog model={model} opened={doing === 'set'} onClose={close} />
      <RemoveKey model={model} opened={doing === 'remove'} onClose={close} />
    </Group>
  )
}
