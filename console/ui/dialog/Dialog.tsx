import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { focusNearest, focusPath, isFocusLost } from '../focus/focus'

/** Sets the initial focus: the first field, else the first button, which changes nothing. */
const markFirst = (body: HTMLElement | null) => {
  if (!body || body.querySelector('[data-autofocus]')) return
  const takesKeys = (node: HTMLElement) => node.tabIndex >= 0 && !node.closest('[hidden], :disabled, [type=hidden]')
  const first = [body.querySelectorAll<HTMLElement>('input, textarea'), body.querySelectorAll<HTMLElement>('button, a')]
    .flatMap((nodes) => [...nodes])
    .find(takesKeys)
  first?.setAttribute('data-autofocus', '')
}

/** A modal window whose close button has a name. */
export function Dialog({ children, onExitTransitionEnd, ...props }: ModalProps) {
  const { t } = useTranslation()
  const opener = useRef<ReturnType<typeof focusPath>>([])
  const { opened } = props
  useEffect(() => {
    if (opened) opener.current = focusPath(document.activeElement)
  }, [opened])
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      styles={{
        title: { fontSize: 'var(--mantine-h3-font-size)', fontWeight: 650 },
        // Keeps a field that gets the focus above the buttons, which stay in view.
        content: { scrollPaddingBottom: '5rem' },
      }}
      {...props}
      onExitTransitionEnd={() => {
        onExitTransitionEnd?.()
        // The opener may be gone. Mantine then returns the focus to nothing.
        setTimeout(() => isFocusLost() && focusNearest(opener.current))
      }}
    >
      <div ref={markFirst}>{children}</div>
    </Modal>
  )
}
