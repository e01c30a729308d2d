import { ActionIcon, Autocomplete, Button, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlanFormState } from './form-values'
import { MAX_METADATA } from './form-values'
import classes from './PlanForm.module.css'

/** The keys under which Meydan reads the payment processors' price ids. */
const known = [
  'stripe_price_id_monthly',
  'stripe_price_id_yearly',
  'stripe_price_id_monthly_try',
  'stripe_price_id_yearly_try',
  'stripe_price_id_monthly_usd',
  'stripe_price_id_yearly_usd',
  'iyzico_pricing_plan_ref_monthly',
  'iyzico_pricing_plan_ref_yearly',
  'paytr_pricing_plan_ref_monthly',
  'paytr_pricing_plan_ref_yearly',
]

export function MetadataFields({ form }: { form: PlanFormState }) {
  const { t } = useTranslation()
  const rows = form.values.metadata
  const group = useRef<HTMLDivElement>(null)
  const goesTo = useRef<string>(undefined)
  useEffect(() => {
    if (goesTo.current) group.current?.querySelector<HTMLElement>(goesTo.current)?.focus()
    goesTo.current = undefined
  })
  const free = known.filter((key) => !rows.some((row) => row.key.trim() === key))
  const add = () => {
    form.insertListItem('metadata', { key: '', value: '' })
    goesTo.current = `[data-path="metadata.${rows.length}.key"]`
  }
  const drop = (at: number) => {
    form.removeListItem('metadata', at)
    goesTo.current = rows.length > 1 ? `[data-path="metadata.${Math.min(at, rows.length - 2)}.key"]` : '[data-add]'
  }
  return (
    <div ref={group}>
      {rows.map((row, at) => {
        const n = at + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key and no state
          <div key={at} className={classes.note}>
            <Autocomplete
              label={t('admin.plans.metadata_key')}
              aria-label={t('admin.plans.metadata_key_n', { n })}
              data={[...free, ...known.filter((key) => key === row.key)]}
              size="md"
              maxLength={100}
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps(`metadata.${at}.key`)}
            />
            <TextInput
              label={t('admin.plans.metadata_value')}
              aria-label={t('admin.plans.metadata_value_n', { n })}
              maxLength={500}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps(`metadata.${at}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={42}
              aria-label={t('admin.plans.metadata_remove', { n })}
              onClick={() => drop(at)}
            >
              <X size={18} />
            </ActionIcon>
          </div>
        )
      })}
      <Button
        data-add
        variant="default"
        mt={rows.length > 0 ? 'sm' : 0}
        leftSection={<Plus size={16} />}
        disabled={rows.length >= MAX_METADATA}
        onClick={add}
      >
        {t('admin.plans.metadata_add')}
      </Button>
    </div>
  )
}
