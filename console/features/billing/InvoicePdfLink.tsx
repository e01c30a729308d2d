import { Anchor, Group } from '@mantine/core'
import { FileCode, FileDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Downloads the UBL-TR document of an invoice. `href`: its address in the API. */
export function InvoiceUblLink({ href, number }: { href: string; number: string }) {
  const { t } = useTranslation()
  return (
    <Anchor href={href} download aria-label={t('subscription.ubl_of', { number })}>
      <Group gap={4} wrap="nowrap">
        <FileCode size={16} aria-hidden="true" />
        UBL-TR
      </Group>
    </Anchor>
  )
}

/** Downloads the document of an invoice. `href`: its address in the API. */
export function InvoicePdfLink({ href, number }: { href: string; number: string }) {
  const { t } = useTranslation()
  return (
    <Anchor href={href} aria-label={t('subscription.pdf_of', { number })}>
      <Group gap={4} wrap="nowrap">
        <FileDown size={16} aria-hidden="true" />
        PDF
      </Group>
    </Anchor>
  )
}
