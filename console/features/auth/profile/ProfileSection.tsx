import { Card, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Profile.module.css'

/** A section of the profile: explanation on one side, controls on the other. */
export function ProfileSection({
  title,
  about,
  children,
}: {
  title: ReactNode
  about: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id} className={classes.section}>
      <div>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        <Text c="dimmed" fz="sm" mt={4}>
          {about}
        </Text>
      </div>
      <div className={classes.content}>{children}</div>
    </Card>
  )
}
