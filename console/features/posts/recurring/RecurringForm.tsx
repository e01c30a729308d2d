import { ActionIcon, Button, Checkbox, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { FetchQueryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, queryClient, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useWorkspace } from '../../workspaces/queries'
import { AccountChip } from '../form/fields/AccountChip'
import type { PostDestination } from '../form/form-values'
import {
  isChanged,
  newText,
  type RecurringFormState,
  type RecurringValues,
  toBody,
  toFormValues,
  toPatch,
  validate,
} from './form-values'
import { ImpactDialog } from './ImpactDialog'
import { followingQuery, invalidateRecurring, type RecurringPost, recurringPostQuery } from './queries'
import { RuleFields } from './RuleFields'

const MAX_VARIANTS = 10

/** Problems of a variant at its text: the accounts and files of all variants are not fields of their own. */
function variantProblems(error: Error) {
  const problems: Record<string, string> = {}
  if (error instanceof ApiProblem)
    for (const { pointer, message } of error.problem.errors ?? []) {
      const index = /^\/variants\/(\d+)\//.exec(pointer)?.[1]
      if (index !== undefined) problems[`texts.${index}.content`] ??= message
    }
  return problems
}

type Props = {
  start: Loaded<RecurringPost> | { values: RecurringValues }
  accounts: PostDestination[]
  /** The occurrence from which on the given one is changed, if not all. */
  from?: string | undefined
}

/** Creates a recurring post or changes the given one. */
export function RecurringForm({ start, accounts, from }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const client = workspaceApi(slug)
  const formId = useId()
  const leave = (message: string) => {
    void invalidateRecurring(slug)
    notifications.show({ message })
    return navigate({ to: '/w/$workspace/recurring-posts', params: { workspace: slug }, ignoreBlocker: true })
  }
  const [asking, { open, close }] = useDisclosure(false)
  const state = useRecordForm({
    start,
    query: ({ id }: RecurringPost): FetchQueryOptions<Loaded<RecurringPost>, Error, Loaded<RecurringPost>, string[]> =>
      from === undefined ? recurringPostQuery(slug, id) : followingQuery(slug, id, from),
    toValues: (recurring: RecurringPost) => toFormValues(recurring, accounts),
    toPatch,
    isChanged,
    validate: (values) => validate(t, values),
    partProblems: variantProblems,
    update: async (body, { record: { id }, etag }) => {
      const params = { path: { id } }
      if (from === undefined)
        return unwrapWithEtag(
          client.PATCH('/api/v1/recurring-posts/{id}', { params, body, headers: { 'if-match': etag } }),
        )
      const split = { from, ...body }
      const made = await once(split, (headers) =>
        unwrap(
          client.POST('/api/v1/recurring-posts/{id}/split', {
            params,
            body: split,
            headers: { ...headers, 'if-match': etag },
          }),
        ),
      )
      return queryClient.fetchQuery(recurringPostQuery(slug, made.id))
    },
    onUpdated: () => leave(t('recurring.saved')),
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(client.POST('/api/v1/recurring-posts', { body, headers })))
    },
    onCreated: () => leave(t('recurring.created')),
  })
  /** A change is sent after the question what it concerns. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!state.base || asking || state.form.validate().hasErrors) {
      close()
      return state.onSubmit(event)
    }
    open()
  }
  return (
    <form onSubmit={onSubmit} id={formId} noValidate>
      <Stack gap="lg" maw={820}>
        <AccountFields form={state.form} accounts={accounts} />
        <TextFields form={state.form} />
        <RuleFields form={state.form} />
        <RecordFormActions
          state={state}
          save={t(state.base ? 'recurring.save' : 'recurring.create')}
          conflict={{ detail: t('recurring.conflict_detail') }}
          cancel={
            <ButtonLink variant="default" to="/w/$workspace/recurring-posts" params={{ workspace: slug }}>
              {t('ui.cancel')}
            </ButtonLink>
          }
        />
      </Stack>
      {state.base && (
        <ImpactDialog opened={asking} onClose={close} id={state.base.record.id} from={from} form={formId} />
      )}
    </form>
  )
}

function AccountFields({ form, accounts }: Pick<RecurringFormState, 'form'> & { accounts: PostDestination[] }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return (
    <FormSection title={t('recurring.accounts')}>
      {accounts.length === 0 ? (
        <AnchorLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
          {t('recurring.connect')}
        </AnchorLink>
      ) : (
        <Checkbox.Group aria-label={t('recurring.accounts')} {...form.getInputProps('account_ids')}>
          <Group gap="xs">
            {accounts.map((account) => (
              <AccountChip key={account.id} account={account} checked={form.values.account_ids.includes(account.id)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </FormSection>
  )
}

/** The texts, which take turns. */
function TextFields({ form }: Pick<RecurringFormState, 'form'>) {
  const { t } = useTranslation()
  const { texts } = form.values
  return (
    <FormSection title={t('recurring.texts')} about={t('recurring.texts_about')}>
      {texts.map(({ key, kept }, index) => (
        <Group key={key} align="flex-start" wrap="nowrap" gap="xs">
          <div style={{ flex: 1 }}>
            <Textarea
              label={texts.length > 1 ? t('recurring.text_number', { number: index + 1 }) : t('recurring.text')}
              autosize
              minRows={2}
              maxRows={12}
              dir="auto"
              required
              {...form.getInputProps(`texts.${index}.content`)}
            />
            {kept && kept.media_ids.length + kept.thread.length > 0 && (
              <Text fz="sm" c="dimmed" mt={4}>
                {t('recurring.kept')}
              </Text>
            )}
          </div>
          {texts.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              size="lg"
              aria-label={t('recurring.remove_text', { number: index + 1 })}
              onClick={() => form.removeListItem('texts', index)}
            >
              <Trash2 size={17} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {texts.length > 1 && (
        <Select
          label={t('recurring.order')}
          maw={320}
          allowDeselect={false}
          data={(['in_order', 'shuffled'] as const).map((value) => ({ value, label: t(`recurring.orders.${value}`) }))}
          {...form.getInputProps('variant_order')}
        />
      )}
      {texts.length < MAX_VARIANTS && (
        <Button
          variant="light"
          leftSection={<Plus size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('texts', newText())}
        >
          {t('recurring.add_text')}
        </Button>
      )}
    </FormSection>
  )
}
