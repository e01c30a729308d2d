import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import classes from './options.module.css'

/** The effect of an unsaved value, with the buttons to save or discard it. */
export const ChangeEffect = ({
  text,
  problem,
  children,
}: {
  text: string
  problem: Error | null
  children: ReactNode
}) => (
  <>
    <div className={classes.effect} style={{ marginTop: '0.6rem' }}>
      <Text fz="sm" role="status">
        {text}
      </Text>
      <Group justify="flex-end" gap="xs" mt="sm">
        {children}
      </Group>
    </div>
    {problem && (
      <div style={{ marginTop: '0.6rem' }}>
        <ProblemAlert error={problem} />
      </div>
    )}
  </>
)
