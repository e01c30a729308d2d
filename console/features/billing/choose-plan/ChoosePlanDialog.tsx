import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import type { PublicPlan, Usage } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'
import { currencyCode } from '../format'
import { useChangePlan, useOpenCheckout, useStartCheckout } from '../mutations'
import { PlanChangeList } from '../PlanChangeList'
import { type CheckoutTerms, type PlanChangePreview, planChangeQuery, type Subscription } from '../queries'
import { type Buyer, BuyerFields, buyerOf, buyerProblems, useBuyerForm } from './BuyerFields'
import type { Choice } from './PaymentSummary'
import { ChangeSummary, StartSummary } from './PaymentSummary'

type Props = {
  choice: Choice
  /** Undefined if the present plan is not on offer. */
  present: PublicPlan | undefined
  usage: Usage
  terms: CheckoutTerms
  live: Subscription | undefined
  onClose: () => void
}

/** Confirms a plan, after showing its changes and payments. */
export function ChoosePlanDialog(props: Props) {
  const { t } = useTranslation()
  const { choice, live, onClose } = props
  const title = t(live ? 'subscription.change_ask' : 'subscription.subscribe_ask', { plan: choice.plan.name })
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {live ? <ChangeForm {...props} live={live} /> : <StartForm {...props} />}
    </Dialog>
  )
}

function Changes({ choice, present, usage }: Props) {
  if (!present || present.code === choice.plan.code) return null
  return <PlanChangeList from={present} to={choice.plan} usage={usage} />
}

function StartForm(props: Props) {
  const { t } = useTranslation()
  const { choice, terms, onClose } = props
  const { plan, period, currency } = choice
  const start = useStartCheckout()
  const open = useOpenCheckout()
  const isFree = plan.prices[currency]?.[period] === 0
  const asked = isFree ? [] : terms.requires
  const form = useBuyerForm(asked)
  const submit = useFormSubmit(form, {
    mutationFn: (values) =>
      start({ plan_code: plan.code, period, currency: currencyCode(currency), ...buyerOf(values, asked) }),
    onSuccess: (checkout) => open(checkout),
    onError: (error) => form.setErrors(buyerProblems(t, error)),
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        <StartSummary choice={choice} terms={terms} />
        <Changes {...props} />
        {asked.length > 0 && <BuyerFields form={form} />}
        {submit.problem && Object.keys(form.errors).length === 0 && <ProblemAlert error={submit.problem} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending || submit.isSuccess}>
            {t(isFree ? 'subscription.subscribe' : 'subscription.to_payment')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

function ChangeForm(props: Props & { live: Subscription }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { choice, live, terms, onClose } = props
  const { plan, period } = choice
  const navigate = useNavigate()
  const open = useOpenCheckout()
  const preview = useQuery(planChangeQuery(slug, { plan_code: plan.code, period }))
  const isNow = preview.data?.applies === 'now'
  const change = useChangePlan(({ checkout }) => {
    if (checkout) return open(checkout)
    notifications.show({
      message: t(isNow ? 'subscription.changed' : 'subscription.change_planned', { plan: plan.name }),
    })
    return navigate({ to: '/w/$workspace/billing', params: { workspace: slug } })
  })
  const asked = preview.data && preview.data.amount_due > 0 ? terms.requires : []
  const form = useBuyerForm(asked)
  const send = ({ amount_due, renewal_amount, priced_at }: PlanChangePreview, values: Buyer) =>
    change.mutate(
      {
        plan_code: plan.code,
        period,
        shown: { amount_due, renewal_amount, priced_at },
        ...buyerOf(values, asked),
      },
      {
        onError: (error) => {
          form.setErrors(buyerProblems(t, error))
          if (isCode(error, 'price_changed')) void preview.refetch()
        },
      },
    )
  return (
    <form onSubmit={form.onSubmit((values) => preview.data && send(preview.data, values))} noValidate>
      <Stack>
        {preview.data && <ChangeSummary preview={preview.data} live={live} />}
        {preview.isPending && <LoadingSkeleton lines={1} height={88} />}
        {preview.error && <ProblemAlert error={preview.error} onRetry={() => preview.refetch()} />}
        <Changes {...props} />
        {asked.length > 0 && <BuyerFields form={form} />}
        {change.error && Object.keys(form.errors).length === 0 && <ProblemAlert error={change.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={!preview.data || preview.isFetching}>
            {t(isNow ? 'subscription.change_now' : 'subscription.change_later')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
