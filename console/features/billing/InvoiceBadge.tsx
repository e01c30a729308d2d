import { CircleCheck, CircleSlash, Clock, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'
import type { Invoice } from './queries'

const styles: Record<Invoice['status'] | 'credit_note', StatusStyle> = {
  open: { color: 'yellow', icon: Clock },
  paid: { color: 'iznik', icon: CircleCheck },
  void: { color: 'gray', icon: CircleSlash },
  credit_note: { color: 'blue', icon: Undo2 },
}

export function InvoiceBadge({ status, kind }: Pick<Invoice, 'status' | 'kind'>) {
  const { t } = useTranslation()
  const shown = kind === 'credit_note' ? kind : status
  return <StatusBadge {...styles[shown]}>{t(`subscription.invoice.${shown}`)}</StatusBadge>
}
