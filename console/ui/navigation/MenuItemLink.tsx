import { type ElementProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const MenuItemLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))
