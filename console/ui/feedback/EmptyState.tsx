import { Center, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Explains why a page is empty and offers the first step. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <Center py={56} px="md">
    <Stack align="center" gap="xs" maw={420}>
      <Center
        w={56}
        h={56}
        c="var(--mantine-color-anchor)"
        bg="var(--mantine-primary-color-light)"
        style={{ borderRadius: 16 }}
      >
        {icon}
      </Center>
      <Title order={2} size="h3" mt="xs" ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center">
          {children}
        </Text>
      )}
      {action && <Group mt="sm">{action}</Group>}
    </Stack>
  </Center>
)
