import { Button, Code, Group, Text } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * A text to copy. `name`: required where there are several. Browsers allow copying only over HTTPS; otherwise the text
 * is selected for the keyboard.
 */
export function CopyText({
  text,
  shown = text,
  name,
  children,
}: {
  text: string
  /** The text in a readable form. */
  shown?: string
  name?: string
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const block = useRef<HTMLPreElement>(null)
  const [done, setDone] = useState<'copied' | 'selected'>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current)
      setDone('selected')
    }
  }
  return (
    <>
      <Code block ref={block} className="text">
        {shown}
      </Code>
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={done === 'copied' ? <Check size={16} /> : <Copy size={16} />}
          onClick={copy}
          aria-label={name && done !== 'copied' ? t('ui.copy_named', { name }) : undefined}
        >
          {done === 'copied' ? t('ui.copied') : t('ui.copy')}
        </Button>
        <Text role="status" fz="sm" c="dimmed" flex={1}>
          {done === 'selected' && t('ui.selected')}
        </Text>
        {children}
      </Group>
    </>
  )
}
