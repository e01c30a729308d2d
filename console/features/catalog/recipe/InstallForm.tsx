import { Button, Checkbox, Fieldset, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormErrors, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { accountsQuery } from '../../accounts/queries'
import { EstimateText } from '../../agents/budget/EstimateText'
import { estimateQuery, invalidateAgents } from '../../agents/queries'
import { useScheduleText } from '../../agents/schedule-text'
import { SourceAddress } from '../../agents/sources/SourceAddress'
import { AccountChip } from '../../posts/form/fields/AccountChip'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../catalog.module.css'
import { invalidateRecipes, type Recipe } from '../queries'
import { openQuestion } from './facts'

/** Maximum of accounts that an agent writes for, as in the API. */
const MAX_ACCOUNTS = 50

type Props = { recipe: Recipe; onCancel: () => void }

/** Makes an agent from a recipe, for the chosen accounts of the workspace. */
export function InstallForm(props: Props) {
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug))
  if (accounts.error && !accounts.data)
    return <ProblemAlert error={accounts.error} onRetry={() => accounts.refetch()} />
  if (!accounts.data) return <LoadingSkeleton lines={2} />
  return <InstallFields {...props} accounts={accounts.data.filter(({ status }) => status === 'connected')} />
}

function InstallFields({ recipe, accounts, onCancel }: Props & { accounts: Account[] }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const navigate = useNavigate()
  const scheduleText = useScheduleText()
  const once = useIdempotencyKey()
  const onError = useErrorNotification()
  const client = workspaceApi(slug)
  const open = openQuestion(recipe.system_prompt)
  const addFacts = (id: string, system_prompt: string) =>
    unwrap(client.PATCH('/api/v1/agents/{id}', { params: { path: { id } }, body: { system_prompt } }))
  const form = useForm({
    initialValues: {
      name: recipe.name,
      facts: '',
      account_ids: accounts.slice(0, MAX_ACCOUNTS).map(({ id }) => id),
      sources: recipe.sources.map(({ kind, label }) => ({ kind, label, url: '', text: '' })),
    },
    validate: ({ name }) => (name.trim() ? {} : { name: t('field.required') }),
  })
  const submit = useFormSubmit(form, {
    mutationFn: async ({ name, account_ids, facts, sources }) => {
      const given = sources.flatMap(givenSource)
      const body = { name: name.trim(), account_ids, ...(given.length > 0 && { sources: given }) }
      const agent = await once(body, (headers) =>
        unwrap(
          client.POST('/api/v1/catalog/agent-recipes/{id}/install', {
            params: { path: { id: recipe.id } },
            body,
            headers,
          }),
        ),
      )
      if (open && facts.trim()) await addFacts(agent.id, `${open.given}${facts.trim()}`).catch(onError)
      return agent
    },
    onSuccess: ({ id, name }, { facts, sources }) => {
      void invalidateAgents(slug)
      void invalidateRecipes()
      const isOpen = (open && !facts.trim()) || sources.some((source) => givenSource(source).length === 0)
      notifications.show({ message: t(isOpen ? 'catalog.installed_open' : 'catalog.installed_done', { name }) })
      return navigate({ to: '/w/$workspace/agents/$agent', params: { workspace: slug, agent: id } })
    },
  })
  const { schedule_cron, posts_per_run, daily_limit, generate_image, video } = recipe
  const estimate = useQuery(
    estimateQuery(slug, { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video }),
  )
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <TextInput
          label={t('agents.name')}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        {accounts.length === 0 ? (
          <Text>
            {t('catalog.no_accounts')}{' '}
            <AnchorLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
              {t('agents.connect')}
            </AnchorLink>
          </Text>
        ) : (
          <Checkbox.Group label={t('catalog.write_for')} {...form.getInputProps('account_ids')}>
            <div className={classes.accounts}>
              {accounts.map((account) => (
                <AccountChip
                  key={account.id}
                  account={account}
                  checked={form.values.account_ids.includes(account.id)}
                />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {recipe.sources.length > 0 && (
          <Fieldset legend={t('sources.title')}>
            <Stack>
              {form.values.sources.map((source, index) => (
                <SourceField
                  // biome-ignore lint/suspicious/noArrayIndexKey: the sources of a recipe keep their order
                  key={index}
                  source={source}
                  error={fieldErrors(form.errors, index)}
                  onChange={(changed) => form.setFieldValue(`sources.${index}`, { ...source, ...changed })}
                />
              ))}
            </Stack>
          </Fieldset>
        )}
        {open && (
          <Textarea
            label={t('catalog.facts')}
            description={t('catalog.facts_about', { question: open.question })}
            maxLength={open.maxLength}
            autosize
            minRows={3}
            maxRows={10}
            {...form.getInputProps('facts')}
          />
        )}
        <Text fz="sm" c="dimmed">
          {scheduleText(schedule_cron)}
          {schedule_cron !== null && ` (${timezone})`}. {t('catalog.starts_off')}
        </Text>
        {estimate.data && <EstimateText estimate={estimate.data} limit={null} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('catalog.install')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type SourceValues = { kind: Recipe['sources'][number]['kind']; label: string; url: string; text: string }

/** The source of a request, unless the field was left empty. */
function givenSource({ kind, label, url, text }: SourceValues): components['schemas']['GivenSource'][] {
  if (kind === 'text') return text.trim() ? [{ label, text: text.trim() }] : []
  return url.trim() ? [{ label, kind, url: url.trim() }] : []
}

/** The problem of what a person gave for a source, from the errors of the form. */
const fieldErrors = (errors: FormErrors, index: number) =>
  ['label', 'url', 'text'].map((field) => errors[['sources', index, field].join('.')]).find((error) => error)

type SourceFieldProps = {
  source: SourceValues
  error: ReactNode
  onChange: (changed: Partial<SourceValues>) => void
}

function SourceField({ source: { kind, label, url, text }, error, onChange }: SourceFieldProps) {
  const { t } = useTranslation()
  if (kind === 'text')
    return (
      <Textarea
        label={label}
        description={t('sources.text_about')}
        maxLength={20_000}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        error={error}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
    )
  return (
    <SourceAddress
      label={label}
      description={t('sources.url_about')}
      value={{ kind, url }}
      kinds={['feed', 'page']}
      error={error}
      onChange={onChange}
    />
  )
}
