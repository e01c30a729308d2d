import { Button, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'

type Field = {
  name: string
  label: string
  about?: string
  required?: boolean
  lines?: true
  initial?: string
  numeric?: true
  choices?: { value: string; label: string }[]
}

/** Asks for the values that an action needs, before it. */
export function PromptDialog({
  opened,
  onClose,
  ...form
}: { opened: boolean; onClose: () => void; title: string } & FormProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={form.title}>
      <PromptForm {...form} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = {
  fields: Field[]
  detail: ReactNode
  action: string
  color?: string
  send: (values: Record<string, string>) => Promise<unknown>
  onDone: () => unknown
}

function PromptForm({ fields, detail, action, color, send, onDone, onClose }: FormProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ''])),
    validate: (values) =>
      Object.fromEntries(
        fields.flatMap(({ name, required }) =>
          required && !values[name]?.trim() ? [[name, t('field.required')]] : [],
        ),
      ),
  })
  const submit = useFormSubmit(form, {
    mutationFn: (values) =>
      send(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]))),
    onSuccess: () => {
      onClose()
      return onDone()
    },
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <Text component="div">{detail}</Text>
        {fields.map(({ name, label, about, required = false, lines, numeric, choices }) => {
          const shared = { label, description: about, required, ...form.getInputProps(name) }
          if (choices) return <Select key={name} {...shared} data={choices} allowDeselect={false} />
          return lines ? (
            <Textarea key={name} {...shared} autosize minRows={2} maxRows={6} maxLength={400} />
          ) : (
            <TextInput
              key={name}
              {...shared}
              maxLength={200}
              autoComplete="off"
              inputMode={numeric ? 'decimal' : undefined}
            />
          )
        })}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" color={color} loading={submit.isPending}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
