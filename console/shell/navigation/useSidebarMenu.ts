import { useDisclosure } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** On a phone, the sidebar is a drawer that a button in the header opens. */
export function useSidebarMenu() {
  const [isOpen, { open, close, toggle }] = useDisclosure(false)
  const opener = useRef<HTMLButtonElement>(null)
  const closer = useRef<HTMLButtonElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(close, [path])
  // It covers the page and the button that opened it.
  useEffect(() => {
    if (isOpen) closer.current?.focus()
  }, [isOpen])
  return {
    isOpen,
    open,
    toggle,
    close: () => {
      close()
      opener.current?.focus()
    },
    opener,
    closer,
  }
}

export type SidebarMenu = ReturnType<typeof useSidebarMenu>
