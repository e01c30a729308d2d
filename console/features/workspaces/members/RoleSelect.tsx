import { Group, Select, type SelectProps, Text } from '@mantine/core'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Role, roles } from './member-queries'

/** Each role with its permissions. `allowed`: the selectable ones. */
export function RoleSelect({
  allowed,
  value,
  onChange,
  ...props
}: Omit<SelectProps<Role>, 'data' | 'value' | 'onChange'> & {
  allowed: readonly Role[]
  value: Role
  onChange: (role: Role) => void
}) {
  const { t } = useTranslation()
  const shown = roles.filter((role) => role === value || allowed.includes(role)).toReversed()
  return (
    <Select<Role>
      data={shown.map((role) => ({ value: role, label: t(`roles.${role}.name`), disabled: !allowed.includes(role) }))}
      value={value}
      onChange={(role) => role && onChange(role)}
      allowDeselect={false}
      maxDropdownHeight={420}
      comboboxProps={{ width: 300, position: 'bottom-end', shadow: 'md' }}
      renderOption={({ option: { value: role, label }, checked }) => (
        <Group wrap="nowrap" gap="xs" justify="space-between" w="100%">
          <div>
            <Text fw={600} fz="sm">
              {label}
            </Text>
            <Text c="dimmed" fz="xs">
              {t(`roles.${role}.about`)}
            </Text>
          </div>
          {checked && <Check size={16} aria-hidden="true" />}
        </Group>
      )}
      {...props}
    />
  )
}
