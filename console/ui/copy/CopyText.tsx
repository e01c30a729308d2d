import { Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './CopyButton'
import { useCopy } from './useCopy'

/** A text to copy. `name`: required where there are several. */
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
  const copying = useCopy(text)
  return (
    <>
      <Code block ref={copying.block} className="text">
        {shown}
      </Code>
      <Group justify="space-between">
        <CopyButton copying={copying} name={name} variant="default" />
        <Text role="status" fz="sm" c="dimmed" flex={1}>
          {copying.done === 'selected' && t('ui.selected')}
        </Text>
        {children}
      </Group>
    </>
  )
}
