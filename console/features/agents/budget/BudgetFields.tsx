import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textToDollars } from '../../../ui/forms/dollars'
import { FormSection } from '../../../ui/forms/FormSection'
import { useWorkspace } from '../../workspaces/queries'
import { type AgentFormState, toBody } from '../form/form-values'
import { estimateQuery } from '../queries'
import { EstimateText } from './EstimateText'

/** Time without typing after which the server is asked. */
const PAUSE_MS = 400

/** The budget of an agent, beside what a month of it would cost with the fields as they are. */
export function BudgetFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video, model_id } = toBody(form.values)
  const planned = { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video, model_id }
  const [asked] = useDebouncedValue(JSON.stringify(planned), PAUSE_MS)
  const limit = textToDollars(form.values.monthly_spend_limit_usd)
  const estimate = useQuery({
    ...estimateQuery(slug, asked === JSON.stringify(planned) ? planned : JSON.parse(asked)),
    placeholderData: keepPreviousData,
  })
  return (
    <FormSection title={t('agents.budget')}>
      <TextInput
        label={t('agents.monthly_credits')}
        description={t('agents.monthly_credits_about')}
        inputMode="numeric"
        autoComplete="off"
        maw={300}
        {...form.getInputProps('monthly_credits')}
      />
      <TextInput
        label={t('agents.monthly_spend_limit_usd')}
        description={t('agents.monthly_spend_limit_usd_about')}
        leftSection="$"
        inputMode="decimal"
        autoComplete="off"
        maw={300}
        {...form.getInputProps('monthly_spend_limit_usd')}
      />
      <div role="status">
        {estimate.data && !estimate.error && <EstimateText estimate={estimate.data} limit={limit} />}
      </div>
    </FormSection>
  )
}
