import { ActionIcon, Badge, Button, Group, Input, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Plus, RefreshCw, Trash2, Undo2, X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '../queries'
import classes from '../webhooks.module.css'
import { headerRows, isOtherOrigin, type WebhookValues } from './form-values'

const MAX_HEADERS = 10

type Form = UseFormReturnType<WebhookValues>

/**
 * Headers sent with every call. Of saved headers only the names are known, so the user keeps, replaces or removes all
 * of them. The form never guesses which.
 */
export function HeaderFields({ form, webhook }: { form: Form; webhook: Webhook | undefined }) {
  const { t } = useTranslation()
  const id = useId()
  const { url, headers, present } = form.values
  const names = webhook?.header_names ?? []
  const elsewhere = webhook !== undefined && isOtherOrigin(url, webhook)
  const { fields, set, add, drop } = useHeaderChanges(form)
  const keep = (
    <Button
      data-act
      variant="subtle"
      leftSection={<Undo2 size={16} />}
      onClick={() => set({ present: 'keep', headers: [] }, '[data-act]')}
    >
      {t('webhooks.headers_keep')}
    </Button>
  )
  const replace = webhook && (
    <Button
      data-act
      variant="default"
      leftSection={<RefreshCw size={16} />}
      onClick={() => set({ present: 'replace', headers: headerRows(webhook) }, '[data-path="headers.0.value"]')}
    >
      {t('webhooks.headers_replace')}
    </Button>
  )
  const remove = (
    <Button
      variant="default"
      leftSection={<Trash2 size={16} />}
      onClick={() => set({ present: 'remove', headers: [] }, '[data-act]')}
    >
      {t('webhooks.headers_remove')}
    </Button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand beside a description
    <div ref={fields} role="group" aria-labelledby={id} data-path="headers">
      <Text fw={500} id={id}>
        {t('webhooks.headers')}
      </Text>
      <Text c="dimmed" fz="sm" mb="xs">
        {t('webhooks.headers_about')}
      </Text>
      <HeaderStatus names={names} present={present} elsewhere={elsewhere} />
      {form.errors.headers && <Input.Error mb="xs">{form.errors.headers}</Input.Error>}
      {present === 'keep' && (
        <>
          <Group gap="xs" mb="sm">
            {names.map((name) => (
              <Badge key={name} variant="light" color="gray" size="lg" fw={500}>
                {name}: {t('webhooks.header_hidden')}
              </Badge>
            ))}
          </Group>
          <Group gap="xs">
            {replace}
            {remove}
          </Group>
        </>
      )}
      {present === 'remove' && (
        <Group gap="xs">
          {!elsewhere && keep}
          {replace}
        </Group>
      )}
      {present === 'replace' && (
        <>
          {headers.map((_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key and no state
            <HeaderRow key={at} form={form} at={at} onDrop={() => drop(at)} />
          ))}
          <Group mt={headers.length > 0 ? 'sm' : 0} gap="xs">
            <Button
              data-act
              variant="default"
              leftSection={<Plus size={16} />}
              disabled={headers.length >= MAX_HEADERS}
              onClick={add}
            >
              {t('webhooks.header_add')}
            </Button>
            {names.length > 0 && remove}
            {names.length > 0 && !elsewhere && keep}
          </Group>
        </>
      )}
    </div>
  )
}

/** Changes headers, and then focuses the field or button with which the user goes on. */
function useHeaderChanges(form: Form) {
  const { headers } = form.values
  const fields = useRef<HTMLDivElement>(null)
  const goesTo = useRef<string>(undefined)
  useEffect(() => {
    if (goesTo.current) fields.current?.querySelector<HTMLElement>(goesTo.current)?.focus()
    goesTo.current = undefined
  })
  /** Then focuses `selector`. */
  const set = (changed: Partial<WebhookValues>, selector: string) => {
    goesTo.current = selector
    form.clearFieldError('headers')
    form.setValues(changed)
  }
  const add = () =>
    set({ headers: [...headers, { name: '', value: '' }] }, `[data-path="headers.${headers.length}.name"]`)
  const drop = (at: number) => {
    form.removeListItem('headers', at)
    goesTo.current =
      headers.length > 1 ? `[data-path="headers.${Math.min(at, headers.length - 2)}.name"]` : '[data-act]'
  }
  return { fields, set, add, drop }
}

type HeaderStatusProps = { names: string[]; present: WebhookValues['present']; elsewhere: boolean }

/** Tells what saving does to the headers that are there. */
function HeaderStatus({ names, present, elsewhere }: HeaderStatusProps) {
  const { t } = useTranslation()
  return (
    <div role="status">
      {elsewhere && (
        <Text fz="sm" mb="xs" fw={500}>
          {t('webhooks.headers_elsewhere')}
        </Text>
      )}
      {names.length > 0 && present === 'replace' && (
        <Text fz="sm" mb="xs">
          {t('webhooks.headers_replaced', { count: names.length })}
        </Text>
      )}
      {present === 'remove' && (
        <Text fz="sm" mb="sm">
          {t('webhooks.headers_removed', { names: names.join(', ') })}
        </Text>
      )}
    </div>
  )
}

function HeaderRow({ form, at, onDrop }: { form: Form; at: number; onDrop: () => void }) {
  const { t } = useTranslation()
  const n = at + 1
  const title = t('webhooks.header_n', { n })
  return (
    // biome-ignore lint/a11y/useSemanticElements: one row of a field
    <div role="group" aria-label={title} className={classes.headers}>
      <TextInput
        label={t('webhooks.header_name')}
        aria-label={`${title}: ${t('webhooks.header_name')}`}
        placeholder={at === 0 ? t('webhooks.header_example') : undefined}
        maxLength={60}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps(`headers.${at}.name`)}
      />
      <TextInput
        label={t('webhooks.header_value')}
        aria-label={`${title}: ${t('webhooks.header_value')}`}
        required={form.values.headers[at]?.name.trim() !== ''}
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
        onClick={onDrop}
      >
        <X size={18} />
      </ActionIcon>
    </div>
  )
}
