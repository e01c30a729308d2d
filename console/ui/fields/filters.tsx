import { Autocomplete, type AutocompleteProps, Select, type SelectProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const WIDTH = { base: 'calc(50% - 6px)', xs: 175 }

/** A filter with one value of a list, or none. */
export const FilterSelect = (props: SelectProps) => (
  <Select clearable w={WIDTH} comboboxProps={{ width: 'max-content', position: 'bottom-start' }} {...props} />
)

/**
 * Filters by a label. Any can be typed, because Meydan has no list of them; `labels` are suggested. Reports it once it is
 * complete; undefined if empty.
 */
export function LabelFilter({
  value,
  labels,
  onChange,
  ...sizes
}: {
  value: string
  labels: string[]
  onChange: (label: string | undefined) => void
} & Pick<AutocompleteProps, 'size' | 'w'>) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const submit = (label: string) => {
    if (label.trim() !== value) onChange(label.trim() || undefined)
  }
  return (
    <Autocomplete
      aria-label={t('posts.by_label')}
      placeholder={t('posts.any_label')}
      clearable
      size="md"
      maxLength={40}
      w={WIDTH}
      {...sizes}
      data={labels}
      value={text}
      onChange={setText}
      onClear={() => submit('')}
      onOptionSubmit={submit}
      onBlur={() => submit(text)}
      onKeyDown={({ key }) => key === 'Enter' && submit(text)}
    />
  )
}

/** The labels of all records that were shown since the page was opened, because a filter may hide some of them. */
export function useShownLabels(records: readonly { labels: string[] }[]) {
  const seen = useRef(new Set<string>()).current
  for (const { labels } of records) for (const label of labels) seen.add(label)
  return [...seen].toSorted((a, b) => a.localeCompare(b))
}
