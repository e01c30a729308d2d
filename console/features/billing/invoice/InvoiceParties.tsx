import { Card, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../Billing.module.css'
import type { Invoice } from '../queries'

/** Seller and buyer, as they were at the time of issue. */
export function InvoiceParties({ invoice: { seller, buyer } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const tax = (label: 'tax_office' | 'tax_id', value: string | null | undefined) =>
    value && `${t(`subscription.invoice_page.${label}`)}: ${value}`
  return (
    <div className={classes.columns}>
      <Party
        title={t('subscription.invoice_page.seller')}
        id="seller"
        name={seller.name}
        lines={[seller.address, tax('tax_office', seller.tax_office), tax('tax_id', seller.tax_id)]}
      />
      <Party
        title={t('subscription.invoice_page.buyer')}
        id="buyer"
        name={buyer.name}
        lines={[
          buyer.line1,
          buyer.line2,
          [buyer.postal, buyer.city].filter(Boolean).join(' '),
          buyer.country,
          tax('tax_id', buyer.tax_id),
        ]}
      />
    </div>
  )
}

type PartyProps = { title: string; id: string; name: string; lines: (string | null | undefined)[] }

const Party = ({ title, id, name, lines }: PartyProps) => (
  <Card component="section" aria-labelledby={id}>
    <Title order={2} size="h4" c="dimmed" id={id} mb="xs">
      {title}
    </Title>
    <Text fw={600} className="text">
      {name}
    </Text>
    {lines.map(
      (line) =>
        line && (
          <Text key={line} className="text">
            {line}
          </Text>
        ),
    )}
  </Card>
)
