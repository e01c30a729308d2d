import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogActions } from '../../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import type { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import type { AskingAction } from './asking-actions'

type Props = {
  action: AskingAction
  submit: Pick<ReturnType<typeof useFormSubmit>, 'onSubmit' | 'isPending' | 'problem'>
  onClose: () => void
  children: ReactNode
}

/** The form of an action on an order: its fields, the problem with it, and its buttons. */
export function ActionForm({ action, submit, onClose, children }: Props) {
  const { t } = useTranslation()
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {children}
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('orders.close')}
          </Button>
          <Button type="submit" color={action === 'cancel' ? 'coral' : undefined} loading={submit.isPending}>
            {t(`orders.action.${action}`)}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
