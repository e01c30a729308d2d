import { Button, Group, Input, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { adminPlansQuery } from '../plans/queries'
import { ChangeEffect } from './ChangeEffect'
import { changeEffect, optionValueText } from './labels'
import { ResetOption } from './ResetOption'
import { type ControlProps, focusControl, useOptionDraft } from './useOptionDraft'

/** Changes an option that is not secret. */
export function ValueControl(control: ControlProps) {
  const { t } = useTranslation()
  const { option, options, name } = control
  const { draft, set, field, areaField, save, error, problem } = useOptionDraft(control)
  const { type, value: saved, key } = option
  const value = draft ?? saved
  const change = (next: string | number | boolean) => set(next === saved ? undefined : next)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typeof draft === 'string' ? draft.trim() : draft
    if (wanted === undefined || typeof wanted === 'object') return
    save.mutate(type === 'integer' ? Number(wanted) : wanted)
  }
  const common = { ref: field, 'aria-label': name, error }
  return (
    <form id={`option-${key}`} onSubmit={send} noValidate>
      {type === 'boolean' ? (
        <>
          <Switch
            ref={field}
            aria-label={name}
            label={optionValueText(t, option, value)}
            checked={value === true}
            onChange={({ currentTarget }) => change(currentTarget.checked)}
          />
          {error && <Input.Error mt={4}>{error}</Input.Error>}
        </>
      ) : type === 'enum' ? (
        <Select
          {...common}
          allowDeselect={false}
          data={(option.values ?? []).map((one) => ({ value: one, label: optionValueText(t, option, one) }))}
          value={String(value)}
          onChange={(one) => one !== null && change(one)}
        />
      ) : key === 'billing.default_plan' ? (
        <PlanSelect {...common} value={String(value)} onChange={change} />
      ) : type === 'text' ? (
        <Textarea
          {...common}
          ref={areaField}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={1000}
          value={String(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : (
        <TextInput
          {...common}
          maxLength={2000}
          autoComplete="off"
          inputMode={type === 'integer' ? 'numeric' : undefined}
          spellCheck={false}
          value={String(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {draft !== undefined && (
        <ChangeEffect text={changeEffect(t, option, draft, options)} problem={problem}>
          <Button
            variant="default"
            onClick={() => {
              set(undefined)
              focusControl(key)
            }}
          >
            {t('admin.options.discard')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('admin.options.save')}
          </Button>
        </ChangeEffect>
      )}
      {draft === undefined && option.source === 'override' && (
        <Group mt="xs">
          <ResetOption option={option} name={name} />
        </Group>
      )}
    </form>
  )
}

function PlanSelect({
  value,
  onChange,
  ...rest
}: {
  value: string
  onChange: (code: string) => void
  'aria-label': string
  error: ReactNode
}) {
  const plans = useQuery(adminPlansQuery)
  const offered = (plans.data ?? []).filter(({ is_active, code }) => is_active || code === value)
  const known = offered.map(({ code, name }) => ({ value: code, label: name === code ? name : `${name} (${code})` }))
  return (
    <Select
      {...rest}
      allowDeselect={false}
      data={known.some((one) => one.value === value) ? known : [...known, { value, label: value }]}
      value={value}
      onChange={(code) => code !== null && onChange(code)}
    />
  )
}
