import { Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { timeZones } from '../../ui/text/time-zone'

export function WorkspaceNameField(props: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput label={t('workspace.name')} description={t('workspace.name_about')} required {...props} />
}

export function ZoneField(props: SelectProps<string>) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('workspace.timezone')}
      description={t('workspace.timezone_about')}
      data={timeZones(props.value ?? props.defaultValue)}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('ui.nothing_found')}
      {...props}
    />
  )
}
