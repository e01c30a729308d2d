import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link above the title of a page, to the page that it belongs to. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor fz="sm" mb={6} display="inline-block" {...props}>
    ‹ {children}
  </Anchor>
))
