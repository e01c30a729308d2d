import { Button, Code, Group, Text } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './webhooks.module.css'

/** Shows a raw body under its name. It also scrolls with the keyboard. JSON is indented. */
export function CodeBlock({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const block = useRef<HTMLPreElement>(null)
  const [done, setDone] = useState<'copied' | 'selected'>()
  const copy = async () => {
    setDone(undefined)
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      setDone('selected')
    }
  }
  useEffect(() => {
    if (done === 'selected' && block.current) getSelection()?.selectAllChildren(block.current)
  }, [done])
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text fw={500} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={done === 'copied' ? <Check size={14} /> : <Copy size={14} />}
          onClick={copy}
          aria-label={done === 'copied' ? undefined : t('ui.copy_named', { name })}
        >
          {done === 'copied' ? t('ui.copied') : t('ui.copy')}
        </Button>
      </Group>
      <Code block ref={block} className={`text ${classes.raw}`} role="region" aria-label={name} tabIndex={0}>
        {/* Copying with the keyboard must give the exact bytes. */}
        {done === 'selected' ? text : prettyPrint(text)}
      </Code>
      <Text role="status" fz="sm" c="dimmed">
        {done === 'selected' && t('ui.selected')}
      </Text>
    </div>
  )
}

/** In characters. Indenting longer texts takes too long. */
const LONG_TEXT = 300_000

function prettyPrint(text: string) {
  if (text.length > LONG_TEXT || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
