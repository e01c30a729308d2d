import { Group, Text } from '@mantine/core'
import { CircleCheck, CircleSlash, Clock, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'
import type { Invoice } from './queries'

const styles: Record<Invoice['status'] | 'credit_note', StatusStyle> = {
  open: { color: 'yellow', icon: Clock },
  paid: { color: 'success', icon: CircleCheck },
  void: { color: 'gray', icon: CircleSlash },
  credit_note: { color: 'blue', icon: Undo2 },
}

/** The status of an invoice. A credit note has none of its own. */
export function InvoiceStatusBadge({ status, kind }: Pick<Invoice, 'status' | 'kind'>) {
  const { t } = useTranslation()
  const shown = kind === 'credit_note' ? kind : status
  return <StatusBadge {...styles[shown]}>{t(`subscription.invoice.${shown}`)}</StatusBadge>
}

/** The number of an invoice, possibly a link, with its status. */
export const InvoiceHeading = ({ number, ...invoice }: Pick<Invoice, 'status' | 'kind'> & { number: ReactNode }) => (
  <Group gap="xs">
    <Text fw={600} className="tabular">
      {number}
    </Text>
    <InvoiceStatusBadge {...invoice} />
  </Group>
)
