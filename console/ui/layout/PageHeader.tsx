import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The head of a page: title, description and main actions. */
export const PageHeader = ({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) => (
  <Group justify="space-between" align="flex-start" mb="lg" gap="md">
    <div>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      {about && (
        <Text c="dimmed" mt={4} maw={640}>
          {about}
        </Text>
      )}
    </div>
    {children && <Group gap="sm">{children}</Group>}
  </Group>
)
