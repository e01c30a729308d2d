import { Alert, Button, Group, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../dialog/Dialog'
import { ProblemAlert } from '../feedback/ProblemAlert'

/** Replaces the focus lost with the form. */
export const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

/** Asks before creating a secret, then shows it. It is shown only once, so only its button closes the dialog. */
export function OneTimeSecret({
  opened,
  onClose,
  onClosed,
  title,
  titleOfSecret,
  secret,
  shown,
  lost,
  children,
}: {
  opened: boolean
  onClose: () => void
  /** After the closing animation. */
  onClosed?: () => void
  title?: string
  titleOfSecret: string
  /** undefined: not created yet; null: the response was lost, and Meydan never repeats it. */
  secret: string | null | undefined
  shown: ReactNode
  lost: ReactNode
  children?: ReactNode
}) {
  const isMade = secret !== undefined
  const mustStay = opened && typeof secret === 'string'
  useBlocker({ shouldBlockFn: () => mustStay, enableBeforeUnload: () => mustStay })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size="lg"
      title={isMade ? titleOfSecret : title}
      withCloseButton={!isMade}
      closeOnEscape={!isMade}
      closeOnClickOutside={!isMade}
    >
      {isMade ? <Stack ref={focusButton}>{secret === null ? lost : shown}</Stack> : children}
    </Dialog>
  )
}

/** The response was lost, and the repeated one has no secret: offers to create another. */
export function LostSecret({
  title,
  detail,
  again,
  error,
  isPending,
  onAgain,
  onClose,
}: {
  title: string
  detail: string
  /** The label of the button for another. */
  again: string
  error: Error | null
  isPending: boolean
  onAgain: () => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <Alert color="yellow" icon={<TriangleAlert size={20} />} title={title}>
        {detail}
      </Alert>
      {error && <ProblemAlert error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={isPending} onClick={onAgain}>
          {again}
        </Button>
      </Group>
    </>
  )
}
