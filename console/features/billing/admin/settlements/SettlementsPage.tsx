import { Button, Group, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CircleCheck, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../../../i18n'
import { FilterSelect } from '../../../../ui/fields/filters'
import { PageHeader } from '../../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../../ui/layout/useDocumentTitle'
import { GuideLink } from '../../../../ui/navigation/WithGuide'
import { useFormat } from '../../../../ui/text/format'
import { useMe } from '../../../auth/queries'
import { useMoney } from '../../../plans/format'
import classes from '../../Billing.module.css'
import { oneOf } from '../admin-queries'
import { ListCard } from '../ListCard'
import { DifferenceList } from './DifferenceList'
import { ImportReportDialog } from './ImportReportDialog'
import {
  differencesQuery,
  type Movement,
  movementKinds,
  movementsQuery,
  type Remedy,
  remediesQuery,
} from './settlement-queries'

/** Movements that payment providers report, how they differ from the payments here, and the remedies of instance admins. */
export function SettlementsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.settlements'))
  const [importing, importer] = useDisclosure(false)
  const count = useQuery(differencesQuery).data?.data.length
  return (
    <>
      <PageHeader
        title={t('pages.settlements')}
        about={
          <>
            {t('admin.settlements.about')} <GuideLink path="accounting">{t('admin.settlements.guide')}</GuideLink>
          </>
        }
      >
        <Button leftSection={<Upload size={16} />} onClick={importer.open}>
          {t('admin.settlements.import')}
        </Button>
      </PageHeader>
      <Tabs defaultValue="differences" keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('pages.settlements')}>
          <Tabs.Tab value="differences">
            {count ? t('admin.settlements.differences_count', { count }) : t('admin.settlements.differences')}
          </Tabs.Tab>
          <Tabs.Tab value="movements">{t('admin.settlements.movements')}</Tabs.Tab>
          <Tabs.Tab value="remedies">{t('admin.settlements.remedies')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="differences">
          <DifferenceList />
        </Tabs.Panel>
        <Tabs.Panel value="movements">
          <Movements />
        </Tabs.Panel>
        <Tabs.Panel value="remedies">
          <Remedies />
        </Tabs.Panel>
      </Tabs>
      <ImportReportDialog opened={importing} onClose={importer.close} />
    </>
  )
}

function Movements() {
  const { t } = useTranslation()
  const [kind, setKind] = useState<Movement['kind']>()
  const movements = useInfiniteQuery(movementsQuery(kind))
  return (
    <>
      <Group role="search" mb="md">
        <FilterSelect
          aria-label={t('admin.settlements.by_kind')}
          placeholder={t('admin.settlements.any_kind')}
          data={movementKinds.map((value) => ({ value, label: t(`admin.settlements.kind.${value}`) }))}
          value={kind ?? null}
          onChange={(value) => setKind(oneOf(movementKinds, value ?? undefined))}
        />
      </Group>
      <ListCard
        of={movements}
        label={t('admin.settlements.movements')}
        none={t('admin.settlements.no_movements')}
        noneDetail={t('admin.settlements.no_movements_detail')}
        row={(movement) => <MovementRow movement={movement} />}
      />
    </>
  )
}

function MovementRow({ movement }: { movement: Movement }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const {
    kind,
    provider,
    reference,
    provider_payment_id,
    amount,
    fee,
    currency,
    occurred_at,
    paid_amount,
    paid_currency,
  } = movement
  return (
    <>
      <div className={classes.what}>
        <Text fw={600}>
          {t(`admin.settlements.kind.${kind}`)} · {t(`admin.billing.provider.${provider}`)}
        </Text>
        <Text c="dimmed" fz="sm" className="text">
          <span title={format.full(occurred_at)}>{format.date(occurred_at)}</span> · {provider_payment_id ?? reference}
          {paid_currency !== currency &&
            ` · ${t('admin.settlements.converted', { amount: money(paid_amount, paid_currency) })}`}
        </Text>
      </div>
      {fee !== 0 && (
        <Text c="dimmed" fz="sm">
          {t('admin.settlements.fee', { amount: money(fee, currency) })}
        </Text>
      )}
      <span className={classes.money}>{money(amount, currency)}</span>
    </>
  )
}

function Remedies() {
  const { t } = useTranslation()
  return (
    <ListCard
      of={useInfiniteQuery(remediesQuery)}
      icon={CircleCheck}
      label={t('admin.settlements.remedies')}
      none={t('admin.settlements.no_remedies')}
      noneDetail={t('admin.settlements.no_remedies_detail')}
      row={(remedy) => <RemedyRow remedy={remedy} />}
    />
  )
}

function RemedyRow({
  remedy: { provider, code, subject, amount, currency, account, note, created_at },
}: {
  remedy: Remedy
}) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  return (
    <>
      <div className={classes.what}>
        <Text fw={600}>{translateDynamic(t, `admin.ledger.rule.${code}`, code)}</Text>
        <Text c="dimmed" fz="sm" className="text">
          {t(`admin.billing.provider.${provider}`)} · {subject} ·{' '}
          <span title={format.full(created_at)}>{format.ago(created_at)}</span> ·{' '}
          {account
            ? t('admin.settlements.booked_to', { account: t(`admin.settlements.account.${account}`) })
            : t('admin.settlements.explained')}
        </Text>
        <Text fz="sm" className="text">
          {note}
        </Text>
      </div>
      <span className={classes.money}>{money(amount, currency)}</span>
    </>
  )
}
