import { Anchor, Button, Card, Stack, Text, Textarea, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BuyerFields, buyerOf, useBuyerForm } from '../../billing/choose-plan/BuyerFields'
import { type CheckoutTerms, termsQuery } from '../../billing/queries'
import { useMoney } from '../../plans/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { type Gig, gigQuery } from '../queries'
import { invalidateOrders } from './order-queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/marketplace/buy/$gig')

/** Orders a gig that was found on the public page. */
export function BuyPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('orders.buy'))
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const gig = useQuery({ ...gigQuery(workspace.slug, route.useParams().gig), enabled: isAdmin })
  const terms = useQuery({ ...termsQuery(workspace.slug), enabled: isAdmin })
  if (!isAdmin) return <RoleRequired needs="admin" />
  const failed = [gig, terms].find(({ error, data }) => error && !data)
  return (
    <div className={classes.narrow}>
      <PageHeader title={t('orders.buy')} about={t('orders.buy_about', { workspace: workspace.name })} />
      {failed && <ProblemAlert error={failed.error} onRetry={() => failed.refetch()} />}
      {!failed && (!gig.data || !terms.data) && <LoadingSkeleton lines={1} height={320} />}
      {gig.data && terms.data && <BuyForm gig={gig.data.record} terms={terms.data} />}
    </div>
  )
}

type Body = components['schemas']['NewOrder']

function useOrderGig() {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: Body) =>
      once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/marketplace/orders', { body, headers }))),
    onSuccess: async ({ id, checkout }) => {
      await invalidateOrders(slug)
      if (!checkout)
        return navigate({ to: '/w/$workspace/marketplace/orders/$order', params: { workspace: slug, order: id } })
      if (checkout.url && (checkout.kind === 'redirect' || checkout.kind === 'hosted')) {
        location.assign(checkout.url)
        return
      }
      return navigate({
        to: '/w/$workspace/billing/checkouts/$checkout',
        params: { workspace: slug, checkout: checkout.id },
        // Only that address may show a frame of the provider.
        reloadDocument: checkout.kind === 'iframe',
      })
    },
  })
}

function BuyForm({ gig, terms }: { gig: Gig; terms: CheckoutTerms }) {
  const { t } = useTranslation()
  const money = useMoney()
  const form = useForm({ initialValues: { requirements: '' } })
  const buyer = useBuyerForm(terms.requires)
  const order = useOrderGig()
  const { id, url, title, price, currency, delivery_days, seller } = gig
  const submit = form.onSubmit(({ requirements }) => {
    if (buyer.validate().hasErrors) return
    order.mutate({
      gig_id: id,
      shown: { price, currency },
      ...(requirements.trim() && { requirements: requirements.trim() }),
      ...buyerOf(buyer.values, terms.requires),
    })
  })
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} className="text">
              <Anchor inherit href={url}>
                {title}
              </Anchor>
            </Title>
            <Text c="dimmed">{t('gigs.delivery', { count: delivery_days })}</Text>
          </div>
          <FactList>
            <Fact name={t('orders.seller')}>{seller.name}</Fact>
            <Fact name={t('orders.price')}>{money(price, currency)}</Fact>
          </FactList>
          <Text c="dimmed" fz="sm">
            {t('orders.escrow_about')}
          </Text>
          <Textarea
            label={t('orders.requirements')}
            description={t('orders.requirements_about')}
            autosize
            minRows={4}
            maxLength={5000}
            {...form.getInputProps('requirements')}
          />
          {terms.requires.length > 0 && <BuyerFields form={buyer} />}
          {order.error && <ProblemAlert error={order.error} />}
          <div>
            <Button type="submit" loading={order.isPending || order.isSuccess}>
              {t('orders.order_and_pay')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  )
}
