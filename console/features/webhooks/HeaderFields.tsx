import { ActionIcon, Badge, Button, Group, Input, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Plus, RefreshCw, Undo2, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './webhooks.module.css'
import type { WebhookValues } from './writing'

const MOST = 10

/** Headers that go with every call. Those of a webhook that is there are known by their names only: all are replaced, or none. */
export function HeaderFields({
  form,
  present,
  elsewhere,
}: {
  form: UseFormReturnType<WebhookValues>
  present: string[]
  /** The address is another receiver's now, so that the present ones cannot stay. */
  elsewhere: boolean
}) {
  const { t } = useTranslation()
  const id = useId()
  const { headers } = form.values
  const add = () => form.setFieldValue('headers', [...(headers ?? []), { name: '', value: '' }])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand beside a description
    <div role="group" aria-labelledby={id} data-path="headers">
      <Text fw={500} id={id}>
        {t('webhooks.headers')}
      </Text>
      <Text c="dimmed" fz="sm" mb="xs">
        {t('webhooks.headers_about')}
      </Text>
      {headers === null ? (
        <>
          <Group gap="xs" mb="sm">
            {present.map((name) => (
              <Badge key={name} variant="light" color="gray" size="lg" fw={500}>
                {name}: {t('webhooks.header_hidden')}
              </Badge>
            ))}
          </Group>
          <Button
            variant="default"
            leftSection={<RefreshCw size={16} />}
            onClick={() => form.setFieldValue('headers', [{ name: '', value: '' }])}
          >
            {t('webhooks.headers_replace')}
          </Button>
        </>
      ) : (
        <>
          {present.length > 0 && (
            <Text fz="sm" mb="xs">
              {elsewhere ? t('webhooks.headers_elsewhere') : t('webhooks.headers_replaced', { count: present.length })}
            </Text>
          )}
          {headers.map((_, at) => {
            const n = at + 1
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and hold nothing of their own
              // biome-ignore lint/a11y/useSemanticElements: one row of a field
              <div key={at} role="group" aria-label={t('webhooks.header_n', { n })} className={classes.headers}>
                <TextInput
                  aria-label={`${t('webhooks.header_n', { n })}: ${t('webhooks.header_name')}`}
                  placeholder="Authorization"
                  maxLength={60}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  {...form.getInputProps(`headers.${at}.name`)}
                />
                <TextInput
                  aria-label={`${t('webhooks.header_n', { n })}: ${t('webhooks.header_value')}`}
                  placeholder={t('webhooks.header_value')}
                  maxLength={1000}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  {...form.getInputProps(`headers.${at}.value`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={42}
                  aria-label={t('webhooks.header_remove', { n })}
                  onClick={() => form.removeListItem('headers', at)}
                >
                  <X size={18} />
                </ActionIcon>
              </div>
            )
          })}
          {form.errors.headers && <Input.Error mt={6}>{form.errors.headers}</Input.Error>}
          <Group mt={headers.length > 0 ? 'sm' : 0} gap="xs">
            <Button variant="default" leftSection={<Plus size={16} />} disabled={headers.length >= MOST} onClick={add}>
              {t('webhooks.header_add')}
            </Button>
            {present.length > 0 && !elsewhere && (
              <Button
                variant="subtle"
                leftSection={<Undo2 size={16} />}
                onClick={() => form.setFieldValue('headers', null)}
              >
                {t('webhooks.headers_keep')}
              </Button>
            )}
          </Group>
        </>
      )}
    </div>
  )
}
