import { Button, type ButtonProps } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'

type Props = { icon: LucideIcon; label: string } & ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, 'color' | 'style'>

/** A button in the header of the calendar. One that is pressed is tinted. */
export const ToolButton = ({ icon: Icon, label, ...props }: Props) => (
  <Button
    variant={props['aria-pressed'] === true ? 'light' : 'default'}
    size="sm"
    px="xs"
    fw={550}
    leftSection={<Icon size={17} aria-hidden="true" />}
    {...props}
  >
    {label}
  </Button>
)
