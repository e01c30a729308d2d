import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { builtInVariables } from '../../../../../shared/text/variables'
import { unwrap, workspaceApi } from '../../../../api'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateSnippets, type Variables } from './queries'
import classes from './snippets.module.css'

const MAX_VARIABLES = 50

/** The variables of the workspace, which are changed together. */
export function VariablesForm({ variables, onClose }: { variables: Variables; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({ initialValues: { variables: variables.variables } })
  const rows = form.values.variables
  const group = useRef<HTMLUListElement>(null)
  /** The row that takes the focus once it is shown. */
  const next = useRef<number>(undefined)
  useEffect(() => {
    if (next.current !== undefined) group.current?.querySelectorAll('li')[next.current]?.querySelector('input')?.focus()
    next.current = undefined
  })
  const submit = useFormSubmit(form, {
    mutationFn: (values) =>
      unwrap(
        workspaceApi(slug).PUT('/api/v1/workspace/variables', {
          body: values,
          headers: { 'if-match': `"${variables.version}"` },
        }),
      ),
    onSuccess: async () => {
      await invalidateSnippets(slug)
      onClose()
    },
    onError: () => invalidateSnippets(slug),
  })
  const builtIn = builtInVariables.map((name) => `{{${name}}}`).join(', ')
  return (
    <form
      onSubmit={(event) => {
        event.stopPropagation()
        submit.onSubmit(event)
      }}
      noValidate
    >
      <Stack>
        <Text fz="sm" c="dimmed">
          {t('snippets.variables_about', { names: builtIn })}
        </Text>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        {rows.length > 0 && (
          <ul ref={group} className={classes.variables}>
            {rows.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key and no state
              <li key={index} className={classes.variable}>
                <TextInput
                  aria-label={t('snippets.variable_name', { number: index + 1 })}
                  placeholder={t('snippets.name')}
                  maxLength={30}
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  {...form.getInputProps(`variables.${index}.name`)}
                />
                <TextInput
                  aria-label={t('snippets.variable_value', { number: index + 1 })}
                  placeholder={t('snippets.value')}
                  maxLength={500}
                  autoComplete="off"
                  dir="auto"
                  {...form.getInputProps(`variables.${index}.value`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('snippets.variable_remove', { number: index + 1 })}
                  onClick={() => {
                    form.removeListItem('variables', index)
                    next.current = Math.max(0, index - 1)
                  }}
                >
                  <X size={16} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        {form.errors.variables && (
          <Text fz="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors.variables}
          </Text>
        )}
        <Button
          variant="default"
          leftSection={<Plus size={16} />}
          style={{ alignSelf: 'flex-start' }}
          disabled={rows.length >= MAX_VARIABLES}
          onClick={() => {
            form.insertListItem('variables', { name: '', value: '' })
            next.current = rows.length
          }}
        >
          {t('snippets.variable_add')}
        </Button>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('snippets.variables_save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
