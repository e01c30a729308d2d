import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { components } from '../../../api.gen'

export type TextModel = components['schemas']['ActiveAiModel']

type Props = { models: TextModel[]; value: string | null; onChange: (id: string | null) => void }

/** Chooses among several models; hidden for one. */
export function TextModelSelect({ models, value, onChange }: Props) {
  const { t } = useTranslation()
  if (models.length < 2) return null
  return (
    <Select
      label={t('assistant.model')}
      data={models.map(({ id_secure, name }) => ({ value: id_secure, label: name }))}
      value={value}
      allowDeselect={false}
      onChange={onChange}
    />
  )
}
