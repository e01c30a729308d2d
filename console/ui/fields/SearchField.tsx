import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Reports the text once typing pauses, unless the user has left for another page; undefined if empty. */
export function SearchField({
  label,
  value,
  onChange,
  maxLength = 200,
}: {
  label: string
  value: string
  onChange: (text: string | undefined) => void
  maxLength?: number
}) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const router = useRouter()
  const report = useDebouncedCallback((typed: string, pathname: string) => {
    // Reporting it now would lead back.
    if (router.latestLocation.pathname === pathname) onChange(typed.trim() || undefined)
  }, 300)
  const change = (typed: string) => {
    setText(typed)
    report(typed, router.latestLocation.pathname)
  }
  return (
    <TextInput
      flex={1}
      miw={200}
      type="search"
      maxLength={maxLength}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={17} />}
      rightSection={text && <CloseButton aria-label={t('ui.clear_search')} onClick={() => change('')} />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
