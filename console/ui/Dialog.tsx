import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Where keys begin: at the first field, else at the first button, which is the one that changes nothing. */
const markFirst = (body: HTMLElement | null) => {
  if (!body || body.querySelector('[data-autofocus]')) return
  const first = body.querySelector('input:not([type=hidden]), textarea') ?? body.querySelector('button, a')
  first?.setAttribute('data-autofocus', '')
}

/** A modal window whose close button has a name. */
export function Dialog({ children, ...props }: ModalProps) {
  const { t } = useTranslation()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      styles={{ title: { fontSize: 'var(--mantine-h3-font-size)', fontWeight: 650 } }}
      {...props}
    >
      <div ref={markFirst}>{children}</div>
    </Modal>
  )
}
