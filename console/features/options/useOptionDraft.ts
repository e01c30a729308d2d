import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldProblems } from '../../ui/feedback/problem'
import { optionRule } from './labels'
import { useSetOption } from './mutations'
import type { Option } from './queries'

export type OptionRowProps = { option: Option; options: Option[]; onDraft: (key: string, is: boolean) => void }

export type ControlProps = OptionRowProps & { name: string }

/** Saves the draft value and reports its faults. */
export function useOptionDraft({ option, onDraft, name }: ControlProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Option['value'] | undefined>()
  const field = useRef<HTMLInputElement>(null)
  const areaField = useRef<HTMLTextAreaElement>(null)
  const { key } = option
  const save = useSetOption(option, () => {
    setDraft(undefined)
    notifications.show({ message: t('admin.options.saved', { name }) })
    // The focused button disappears with the draft.
    setTimeout(() => document.activeElement === document.body && focusControl(key))
  })
  const drafted = draft !== undefined
  useEffect(() => {
    onDraft(key, drafted)
    return () => onDraft(key, false)
  }, [onDraft, key, drafted])
  const said = fieldProblems(t, save.error).value
  useEffect(() => {
    if (save.error) (field.current ?? areaField.current)?.focus()
  }, [save.error])
  return {
    draft,
    set: (value: Option['value'] | undefined) => {
      setDraft(value)
      save.reset()
    },
    field,
    areaField,
    save,
    error: said && (optionRule(t, option) || said),
    problem: said ? null : save.error,
  }
}

/** The control that changes an option: its field, or the button that opens one. */
export const focusControl = (key: string) =>
  document.getElementById(`option-${key}`)?.querySelector<HTMLElement>('input, textarea, button[data-opens]')?.focus()
