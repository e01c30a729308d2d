import { ActionIcon, Loader, Popover } from '@mantine/core'
import { Smile } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertAtCaret } from '../text/insert-at-caret'

/** Loaded with all emoji when the button is pressed. */
const EmojiPicker = lazy(() => import('./EmojiPicker'))

type Props = {
  /** Id of the text area that the emoji is inserted into. */
  field: string
  label?: string
}

/** Chooses an emoji and inserts it at the caret of a text area. */
export function EmojiButton({ field, label }: Props) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const choose = (emoji: string) => {
    setOpened(false)
    const area = document.getElementById(field)
    if (!(area instanceof HTMLTextAreaElement)) return
    insertAtCaret(area, emoji)
    area.focus()
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start" width={320} shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size="md"
          aria-label={label ?? t('emoji.button')}
          title={label ?? t('emoji.button')}
          onClick={() => setOpened(!opened)}
        >
          <Smile size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('emoji.button')}>
        <Suspense fallback={<Loader size="sm" aria-label={t('ui.loading')} />}>
          <EmojiPicker onChoose={choose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
