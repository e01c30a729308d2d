import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A secret link with what is known of its use, and the button that ends it. */
export function SharedLinkRow({
  name,
  details,
  end,
  endLabel,
  isEnding,
  onEnd,
  children,
}: {
  name: string
  /** A line each. */
  details: string[]
  /** The text of the button. */
  end: string
  /** The name of the button for screen readers, which names the link. */
  endLabel: string
  isEnding: boolean
  onEnd: () => void
  /** Settings of the link, below its details. */
  children?: ReactNode
}) {
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap">
      <div style={{ flexGrow: 1, minWidth: 0 }}>
        <Text fw={600} className="text">
          {name}
        </Text>
        {details.map((line) => (
          <Text key={line} fz="sm" c="dimmed" className="text">
            {line}
          </Text>
        ))}
        {children}
      </div>
      <Button
        variant="default"
        size="xs"
        style={{ flexShrink: 0 }}
        aria-label={endLabel}
        loading={isEnding}
        onClick={onEnd}
      >
        {end}
      </Button>
    </Group>
  )
}
