import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type Props = { label: string } & ActionIconProps & Omit<ComponentPropsWithRef<'button'>, 'color' | 'style'>

/** A button with an icon in the header of the calendar. One that is pressed is tinted. */
export const ToolButton = ({ label, ...props }: Props) => (
  <ActionIcon
    variant={props['aria-pressed'] === true ? 'light' : 'default'}
    size={34}
    aria-label={label}
    title={label}
    {...props}
  />
)
