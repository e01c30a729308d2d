import { type ElementProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** An item of a menu that leads to a page. */
export const MenuItemLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))
