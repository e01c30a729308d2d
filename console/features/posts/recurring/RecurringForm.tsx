import { ActionIcon, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
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
import { invalidateRecurring, type RecurringPost, recurringPostQuery } from './queries'
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

type Props = { start: Loaded<RecurringPost> | { values: RecurringValues }; accounts: PostDestination[] }

/** Creates a recurring post or changes the given one. */
export function RecurringForm({ start, accounts }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const client = workspaceApi(slug)
  const leave = (message: string) => {
    void invalidateRecurring(slug)
    notifications.show({ message })
    return navigate({ to: '/w/$workspace/recurring-posts', params: { workspace: slug }, ignoreBlocker: true })
  }
  const state = useRecordForm({
    start,
    query: ({ id }: RecurringPost) => recurringPostQuery(slug, id),
    toValues: (recurring: RecurringPost) => toFormValues(recurring, accounts),
    toPatch,
    isChanged,
    validate: (values) => validate(t, values),
    partProblems: variantProblems,
    update: (body, { record: { id }, etag }) =>
      unwrapWithEtag(
        client.PATCH('/api/v1/recurring-posts/{id}', { params: { path: { id } }, body, headers: { 'if-match': etag } }),
      ),
    onUpdated: () => leave(t('recurring.saved')),
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(client.POST('/api/v1/recurring-posts', { body, headers })))
    },
    onCreated: () => leave(t('recurring.created')),
  })
  return (
    <form onSubmit={state.onSubmit} noValidate>
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
