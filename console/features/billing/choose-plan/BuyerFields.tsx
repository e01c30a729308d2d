import { Group, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { fieldProblems } from '../../../ui/feedback/problem'
import type { CheckoutTerms } from '../queries'

type Field = CheckoutTerms['requires'][number]
export type Buyer = Record<Field, string>

/** `asked`: the fields that are required. */
export function useBuyerForm(asked: readonly Field[]) {
  const { t } = useTranslation()
  return useForm<Buyer>({
    initialValues: { name: '', surname: '', phone: '', identity_number: '' },
    validate: (values) =>
      Object.fromEntries(asked.flatMap((field) => (values[field].trim() ? [] : [[field, t('field.required')]]))),
  })
}

/** The part of a request with the buyer. Empty if nothing is asked. */
export const buyerOf = (values: Buyer, asked: readonly Field[]) =>
  asked.length > 0 && {
    buyer: Object.fromEntries(
      Object.entries(values).flatMap(([field, text]) =>
        text.trim() ? [[field, field === 'phone' ? text.replace(/[\s()-]/g, '') : text.trim()]] : [],
      ),
    ),
  }

/** The errors of `/buyer/name` and the like, by field. */
export const buyerProblems = (t: TFunction, error: Error) =>
  Object.fromEntries(
    Object.entries(fieldProblems(t, error)).flatMap(([path, text]) =>
      path.startsWith('buyer/') ? [[path.slice('buyer/'.length), text]] : [],
    ),
  )

/** The name, phone and identity number that a payment provider demands of who pays. */
export function BuyerFields({ form }: { form: UseFormReturnType<Buyer> }) {
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
