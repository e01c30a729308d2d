import { Button, Code, Group, Text } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './webhooks.module.css'

/** A body as it went over the wire, under its name. It scrolls, by keys too; what is JSON is laid out to be read. */
export function Raw({ text, name }: { text: string; name: string }) {
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
        {/* What is taken by the keys is to be the same to the byte. */}
        {done === 'selected' ? text : laidOut(text)}
      </Code>
      <Text role="status" fz="sm" c="dimmed">
        {done === 'selected' && t('ui.selected')}
      </Text>
    </div>
  )
}

/** Longer than this, laying it out is not worth the wait. */
const LONG = 300_000

function laidOut(text: string) {
  if (text.length > LONG || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
