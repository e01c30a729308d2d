import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const ButtonLink = createLink((props: ButtonProps & ElementProps<'a', keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
