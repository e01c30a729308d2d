import { Kbd, type KbdProps } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'
import classes from './shortcuts.module.css'
import { useSingleKeyShortcuts } from './useSingleKeyShortcuts'

type Shortcut = {
  /** As in `mod+K`: `mod` is ⌘ on a Mac, elsewhere Ctrl. */
  keys: string
  /** Says what the shortcut does, in the list of shortcuts. */
  label: string
}

let registered: readonly Shortcut[] = []
const listeners = new Set<() => void>()
const change = (shortcuts: readonly Shortcut[]) => {
  registered = shortcuts
  for (const notify of listeners) notify()
}

/**
 * Registers a shortcut while the component is shown. Those with `mod` work in text fields, too; the others can be turned
 * off. undefined for `act`: the user may not do it here.
 */
export function useShortcut(keys: string, label: string, act: ((event: KeyboardEvent) => void) | undefined) {
  const [letterKeys] = useSingleKeyShortcuts()
  const isSingle = !keys.includes('mod')
  const isOn = act !== undefined && (letterKeys || !isSingle)
  useEffect(() => {
    if (!isOn) return
    const shortcut = { keys, label }
    change([...registered, shortcut])
    return () => change(registered.filter((other) => other !== shortcut))
  }, [keys, label, isOn])
  const run = (event: KeyboardEvent) => {
    if (!isSingle || !isOverlayOpen(event)) act?.(event)
  }
  useHotkeys(isOn ? [[keys, run]] : [], isSingle ? undefined : [])
}

/** Whether a dialog or menu is open over the page, where a key means something else. */
const isOverlayOpen = ({ target }: KeyboardEvent) =>
  document.querySelector('[role=dialog]') !== null ||
  (target instanceof Element && target.closest('[role=menu], [role=listbox]') !== null)

export const useShortcuts = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => registered,
  )

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of a shortcut as they are printed on keyboards. */
export function ShortcutKeys({ keys, ...props }: KbdProps & { keys: string }) {
  const shown = keys.replace('shift+?', '?').split('+')
  return (
    <Kbd size="xs" {...props} className={classes.keys}>
      {shown.map((key) => (key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key)).join(' ')}
    </Kbd>
  )
}
