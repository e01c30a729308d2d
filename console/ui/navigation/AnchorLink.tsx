import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link in text. */
export const AnchorLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
))
