import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { Dialog } from '../../../ui/feedback/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../../ui/feedback/problem'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import type { PublicPlan, Usage } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'
import { currencyCode } from '../format'
import { useChangePlan, useOpenCheckout, useStartCheckout } from '../mutations'
import { PlanChangeList } from '../PlanChangeList'
import { type CheckoutTerms, type PlanChangePreview, planChangeQuery, type Subscription } from '../queries'
import type { Choice } from './ChoosePlanPage'
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

type Buyer = Record<CheckoutTerms['requires'][number], string>

function StartForm(props: Props) {
  const { t } = useTranslation()
  const { choice, terms, onClose } = props
  const { plan, period, currency } = choice
  const start = useStartCheckout()
  const open = useOpenCheckout()
  const isFree = plan.prices[currency]?.[period] === 0
  const asked = isFree ? [] : terms.requires
  const form = useForm<Buyer>({
    initialValues: { name: '', surname: '', phone: '', identity_number: '' },
    validate: (values) =>
      Object.fromEntries(asked.flatMap((field) => (values[field].trim() ? [] : [[field, t('field.required')]]))),
  })
  const submit = useFormSubmit(form, {
    mutationFn: (buyer) =>
      start({
        plan_code: plan.code,
        period,
        currency: currencyCode(currency),
        ...(asked.length > 0 && {
          buyer: Object.fromEntries(
            Object.entries(buyer).flatMap(([field, text]) =>
              text.trim() ? [[field, field === 'phone' ? text.replace(/[\s()-]/g, '') : text.trim()]] : [],
            ),
          ),
        }),
      }),
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending || submit.isSuccess}>
            {t(isFree ? 'subscription.subscribe' : 'subscription.to_payment')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The errors of `/buyer/name` and the like, by field. */
const buyerProblems = (t: TFunction, error: Error) =>
  Object.fromEntries(
    Object.entries(fieldProblems(t, error)).flatMap(([path, text]) =>
      path.startsWith('buyer/') ? [[path.slice('buyer/'.length), text]] : [],
    ),
  )

function BuyerFields({ form }: { form: UseFormReturnType<Buyer> }) {
  const { t } = useTranslation()
  const field = (name: keyof Buyer) => ({
    label: t(`subscription.buyer.${name}`),
    required: true,
    ...form.getInputProps(name),
  })
  return (
    <Stack gap="sm" role="group" aria-labelledby="buyer">
      <div>
        <Text fw={600} id="buyer">
          {t('subscription.buyer.title')}
        </Text>
        <Text c="dimmed" fz="sm">
          {t('subscription.buyer.about')}
        </Text>
      </div>
      <Group grow align="flex-start">
        <TextInput {...field('name')} autoComplete="given-name" maxLength={60} />
        <TextInput {...field('surname')} autoComplete="family-name" maxLength={60} />
      </Group>
      <TextInput
        {...field('phone')}
        description={t('subscription.buyer.phone_about')}
        autoComplete="tel"
        inputMode="tel"
        maxLength={20}
      />
      <TextInput
        {...field('identity_number')}
        description={t('subscription.buyer.identity_number_about')}
        autoComplete="off"
        maxLength={20}
      />
    </Stack>
  )
}

function ChangeForm(props: Props & { live: Subscription }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { choice, live, onClose } = props
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
  const send = ({ amount_due, renewal_amount, priced_at }: PlanChangePreview) =>
    change.mutate(
      { plan_code: plan.code, period, shown: { amount_due, renewal_amount, priced_at } },
      { onError: (error) => void (isCode(error, 'price_changed') && preview.refetch()) },
    )
  return (
    <Stack>
      {preview.data && <ChangeSummary preview={preview.data} live={live} />}
      {preview.isPending && <LoadingSkeleton lines={1} height={88} />}
      {preview.error && <ProblemAlert error={preview.error} onRetry={() => preview.refetch()} />}
      <Changes {...props} />
      {change.error && <ProblemAlert error={change.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button
          loading={change.isPending}
          disabled={!preview.data || preview.isFetching}
          onClick={() => preview.data && send(preview.data)}
        >
          {t(isNow ? 'subscription.change_now' : 'subscription.change_later')}
        </Button>
      </Group>
    </Stack>
  )
}
