import { type ElementProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** An entry of the sidebar, marked while its page is open. */
export const NavItemLink = createLink((props: NavLinkProps & ElementProps<'a', keyof NavLinkProps>) => (
  <NavLink {...props} />
))
