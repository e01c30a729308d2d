import { Code, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy/CopyButton'
import { useCopy } from '../../ui/copy/useCopy'
import classes from './webhooks.module.css'

/** Shows a raw body under its name. It also scrolls with the keyboard. JSON is indented. */
export function CodeBlock({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const copying = useCopy(text)
  const isSelected = copying.done === 'selected'
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text fw={500} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <CopyButton copying={copying} name={name} iconSize={14} variant="subtle" size="compact-sm" />
      </Group>
      <Code block ref={copying.block} className={`text ${classes.raw}`} role="region" aria-label={name} tabIndex={0}>
        {/* Copying with the keyboard must give the exact bytes. */}
        {isSelected ? text : prettyPrint(text)}
      </Code>
      <Text role="status" fz="sm" c="dimmed">
        {isSelected && t('ui.selected')}
      </Text>
    </div>
  )
}

/** Length in characters from which indenting a text takes too long. */
const LONG_TEXT = 300_000

function prettyPrint(text: string) {
  if (text.length > LONG_TEXT || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
