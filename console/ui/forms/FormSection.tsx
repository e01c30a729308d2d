import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A titled group of fields. */
export const FormSection = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <Card component="section" aria-label={title}>
    <Title order={2} size="h3">
      {title}
    </Title>
    {about && (
      <Text c="dimmed" fz="sm">
        {about}
      </Text>
    )}
    <Stack mt="md">{children}</Stack>
  </Card>
)
