import { Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import type { Network } from '../../../../api'
import { withEntry } from '../draft/merge'

type Option = Network['options'][number]
type Settings = Record<string, unknown>

type Props = {
  fields: Option[]
  settings: Settings
  onChange: (settings: Settings) => void
  problem: (key: string) => string | undefined
}

/** The settings of a post for one network. A setting with the default of the network is not sent. */
export function OptionFields({ fields, settings, onChange, problem }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <OptionField
          key={field.key}
          field={field}
          value={settings[field.key] ?? field.default}
          error={problem(field.key)}
          onChange={(value) => {
            const isUnset = value === '' || value === field.default || (Array.isArray(value) && value.length === 0)
            onChange(withEntry(settings, field.key, isUnset ? undefined : value))
          }}
        />
      ))}
    </Stack>
  )
}

type FieldProps = {
  field: Option
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

function OptionField({ field, value, error, onChange }: FieldProps) {
  const { label, help: description, required, type, max_length, max_items, choices = [] } = field
  const shown = { label, description, error }
  const isRequired = { withAsterisk: required, 'aria-required': required || undefined }
  if (type === 'switch')
    return (
      <Switch {...shown} checked={value === true} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    )
  if (type === 'select')
    return (
      <Select
        {...shown}
        {...isRequired}
        data={choices}
        value={typeof value === 'string' ? value : null}
        allowDeselect={false}
        onChange={onChange}
      />
    )
  if (type === 'list')
    return (
      <TagsInput
        {...shown}
        {...isRequired}
        {...(max_items && { maxTags: max_items })}
        {...(max_length && { maxLength: max_length })}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      {...shown}
      {...isRequired}
      maxLength={max_length}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
