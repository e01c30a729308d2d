import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Fact } from '../layout/FactList'
import { CopyButton } from './CopyButton'
import { useCopy } from './useCopy'

type Props = {
  name: string
  text: string
  /** The text in a readable form. */
  shown?: string
}

/** A fact of a list whose value can be copied. */
export function CopyFact({ name, text, shown = text }: Props) {
  const { t } = useTranslation()
  const copying = useCopy<HTMLSpanElement>(text)
  return (
    <Fact name={name}>
      <Group gap="xs" justify="flex-end">
        <span ref={copying.block} className="text">
          {shown}
        </span>
        <CopyButton copying={copying} name={name} variant="default" size="compact-sm" iconSize={14} />
      </Group>
      <Text role="status" fz="sm" c="dimmed">
        {copying.done === 'selected' && t('ui.selected')}
      </Text>
    </Fact>
  )
}
