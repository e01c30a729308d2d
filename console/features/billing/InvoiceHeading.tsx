import { Group, Text } from '@mantine/core'
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

/** The number of an invoice with its status. A credit note has none of its own. */
export function InvoiceHeading({ number, status, kind }: Pick<Invoice, 'number' | 'status' | 'kind'>) {
  const { t } = useTranslation()
  const shown = kind === 'credit_note' ? kind : status
  return (
    <Group gap="xs">
      <Text fw={600} className="tabular">
        {number}
      </Text>
      <StatusBadge {...styles[shown]}>{t(`subscription.invoice.${shown}`)}</StatusBadge>
    </Group>
  )
}
