import { Card, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Profile.module.css'

/** A part of the profile: what it is about at the side, what can be done beside it. */
export function Section({ title, about, children }: { title: ReactNode; about: ReactNode; children: ReactNode }) {
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
