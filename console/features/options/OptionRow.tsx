import { Badge, Button, Group, Input, Select, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../ui/feedback/problem'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { KeyField } from '../ai/KeyDialog'
import { allModelsQuery } from '../ai/queries'
import { useMe } from '../auth/queries'
import { adminPlansQuery } from '../plans/queries'
import {
  changeEffect,
  keyModelId,
  optionDescription,
  optionName,
  optionRule,
  optionValueText,
  resetEffect,
  secretText,
} from './labels'
import { useResetOption, useSetOption } from './mutations'
import classes from './options.module.css'
import { type Option, secretOf } from './queries'

type OptionRowProps = { option: Option; options: Option[]; onDraft: (key: string, is: boolean) => void }

/** One option: its purpose, its value and source, and the effect of a new value. */
export function OptionRow({ option, options, onDraft }: OptionRowProps) {
  const { t } = useTranslation()
  const id = useId()
  const model = useQuery({ ...allModelsQuery, enabled: keyModelId(option) !== undefined }).data?.find(
    (one) => one.id === keyModelId(option),
  )
  const name = optionName(t, option, model?.name)
  const about = optionDescription(t, option)
  return (
    <li className={classes.row} aria-labelledby={id}>
      <div>
        <div className={classes.head}>
          <Text fw={600} id={id}>
            {name}
          </Text>
          <OptionSource option={option} />
        </div>
        {about && (
          <Text c="dimmed" fz="sm" mt={2} lang={about.lang}>
            {about.text}
          </Text>
        )}
        <OptionFacts option={option}>
          {model && (
            <AnchorLink to="/admin/ai-models/$model" params={{ model: model.id_secure }} inherit>
              {t('admin.options.to_model')}
            </AnchorLink>
          )}
        </OptionFacts>
      </div>
      <div className={classes.control}>
        {option.type === 'secret' ? (
          <SecretControl option={option} options={options} onDraft={onDraft} name={name} />
        ) : (
          <ValueControl option={option} options={options} onDraft={onDraft} name={name} />
        )}
      </div>
    </li>
  )
}

function OptionSource({ option: { source, environment, type, value } }: { option: Option }) {
  const { t } = useTranslation()
  if (source === 'override') return <Badge variant="light">{t('admin.options.source.override')}</Badge>
  if (source === 'environment')
    return (
      <Badge variant="light" color="blue">
        {t('admin.options.source.environment', { key: environment?.key })}
      </Badge>
    )
  if (type === 'secret' && !secretOf({ value } as Option).set) return null
  return (
    <Badge variant="light" color="gray">
      {t('admin.options.source.default')}
    </Badge>
  )
}

/** The option's name in the API, and its value without the override. */
function OptionFacts({ option, children }: { option: Option; children?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { key, type, source, environment, updated_at } = option
  const value = optionValueText(t, option, option.default)
  return (
    <div className={classes.facts}>
      <span className={classes.mono}>{key}</span>
      {source === 'override' && environment?.is_set && (
        <span>{t('admin.options.before_setting', { key: environment.key, value })}</span>
      )}
      {source === 'override' && !environment?.is_set && type !== 'secret' && (
        <span>{t('admin.options.default_is', { value })}</span>
      )}
      {source === 'override' && updated_at && (
        <time dateTime={updated_at} title={format.full(updated_at)}>
          {t('admin.options.changed', { ago: format.ago(updated_at) })}
        </time>
      )}
      {children}
    </div>
  )
}

type ControlProps = OptionRowProps & { name: string }

/** Saves the draft value and reports its faults. */
function useDraft({ option, onDraft, name }: ControlProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Option['value'] | undefined>()
  const field = useRef<HTMLInputElement>(null)
  const { key } = option
  const save = useSetOption(option, () => {
    setDraft(undefined)
    notifications.show({ message: t('admin.options.saved', { name }) })
    // The focused button disappears with the draft.
    setTimeout(() => document.activeElement === document.body && focusControl(key))
  })
  const drafted = draft !== undefined
  useEffect(() => {
    onDraft(key, drafted)
    return () => onDraft(key, false)
  }, [onDraft, key, drafted])
  const said = fieldProblems(t, save.error).value
  useEffect(() => {
    if (save.error) field.current?.focus()
  }, [save.error])
  return {
    draft,
    set: (value: Option['value'] | undefined) => {
      setDraft(value)
      save.reset()
    },
    field,
    save,
    error: said && (optionRule(t, option) || said),
    problem: said ? null : save.error,
  }
}

/** The control that changes an option: its field, or the button that opens one. */
const focusControl = (key: string) =>
  document.getElementById(`option-${key}`)?.querySelector<HTMLElement>('input, button[data-opens]')?.focus()

function ValueControl(control: ControlProps) {
  const { t } = useTranslation()
  const { option, options, name } = control
  const { draft, set, field, save, error, problem } = useDraft(control)
  const { type, value: saved, key } = option
  const value = draft ?? saved
  const change = (next: string | number | boolean) => set(next === saved ? undefined : next)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typeof draft === 'string' ? draft.trim() : draft
    if (wanted === undefined || typeof wanted === 'object') return
    save.mutate(type === 'integer' ? Number(wanted) : wanted)
  }
  const common = { ref: field, 'aria-label': name, error }
  return (
    <form id={`option-${key}`} onSubmit={send} noValidate>
      {type === 'boolean' ? (
        <>
          <Switch
            ref={field}
            aria-label={name}
            label={optionValueText(t, option, value)}
            checked={value === true}
            onChange={({ currentTarget }) => change(currentTarget.checked)}
          />
          {error && <Input.Error mt={4}>{error}</Input.Error>}
        </>
      ) : type === 'enum' ? (
        <Select
          {...common}
          allowDeselect={false}
          data={(option.values ?? []).map((one) => ({ value: one, label: optionValueText(t, option, one) }))}
          value={String(value)}
          onChange={(one) => one !== null && change(one)}
        />
      ) : key === 'billing.default_plan' ? (
        <PlanSelect {...common} value={String(value)} onChange={change} />
      ) : (
        <TextInput
          {...common}
          maxLength={2000}
          autoComplete="off"
          inputMode={type === 'integer' ? 'numeric' : undefined}
          spellCheck={false}
          value={String(value)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {draft !== undefined && (
        <ChangeEffect text={changeEffect(t, option, draft, options)} problem={problem}>
          <Button
            variant="default"
            onClick={() => {
              set(undefined)
              focusControl(key)
            }}
          >
            {t('admin.options.discard')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('admin.options.save')}
          </Button>
        </ChangeEffect>
      )}
      {draft === undefined && option.source === 'override' && (
        <Group mt="xs">
          <ResetOption option={option} name={name} />
        </Group>
      )}
    </form>
  )
}

/** The effect of an unsaved value, with the buttons to save or discard it. */
const ChangeEffect = ({ text, problem, children }: { text: string; problem: Error | null; children: ReactNode }) => (
  <>
    <div className={classes.effect} style={{ marginTop: '0.6rem' }}>
      <Text fz="sm" role="status">
        {text}
      </Text>
      <Group justify="flex-end" gap="xs" mt="sm">
        {children}
      </Group>
    </div>
    {problem && (
      <div style={{ marginTop: '0.6rem' }}>
        <ProblemAlert error={problem} />
      </div>
    )}
  </>
)

function PlanSelect({
  value,
  onChange,
  ...rest
}: {
  value: string
  onChange: (code: string) => void
  'aria-label': string
  error: ReactNode
}) {
  const plans = useQuery(adminPlansQuery)
  const offered = (plans.data ?? []).filter(({ is_active, code }) => is_active || code === value)
  const known = offered.map(({ code, name }) => ({ value: code, label: name === code ? name : `${name} (${code})` }))
  return (
    <Select
      {...rest}
      allowDeselect={false}
      data={known.some((one) => one.value === value) ? known : [...known, { value, label: value }]}
      value={value}
      onChange={(code) => code !== null && onChange(code)}
    />
  )
}

function SecretControl(control: ControlProps) {
  const { t } = useTranslation()
  const { option, options, name } = control
  const { draft, set, field, save, error, problem } = useDraft(control)
  const secret = secretOf(option)
  const typed = typeof draft === 'string' ? draft : undefined
  // Takes the focus from the opening button.
  const opened = typed !== undefined
  useEffect(() => {
    if (opened) field.current?.focus()
  }, [opened, field])
  const { key, source } = option
  return (
    <form
      id={`option-${key}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed?.trim()) save.mutate(typed.trim())
      }}
      noValidate
    >
      {typed === undefined ? (
        <div className={classes.secret}>
          <Text c={secret.set ? undefined : 'dimmed'}>{secretText(t, option, secret)}</Text>
          <Group gap="xs">
            {source === 'override' && <ResetOption option={option} name={name} />}
            <Button
              variant="default"
              data-opens
              onClick={() => set('')}
              aria-label={t(secret.set ? 'admin.options.replace_of' : 'admin.options.set_of', { name })}
            >
              {t(secret.set ? 'admin.options.replace' : 'admin.options.set_now')}
            </Button>
          </Group>
        </div>
      ) : (
        <>
          <KeyField
            ref={field}
            label={undefined}
            aria-label={name}
            maxLength={2000}
            placeholder={key === 'mail.smtp_url' ? 'smtp://user:password@mail.example.com:587' : undefined}
            error={error}
            value={typed}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
          <ChangeEffect text={changeEffect(t, option, typed, options)} problem={problem}>
            <Button
              variant="default"
              onClick={() => {
                set(undefined)
                setTimeout(() => focusControl(key))
              }}
            >
              {t('admin.options.discard')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={typed.trim() === ''}>
              {t('admin.options.save')}
            </Button>
          </ChangeEffect>
        </>
      )}
    </form>
  )
}

function ResetOption({ option, name }: { option: Option; name: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const secret = option.type === 'secret'
  const reset = useResetOption(option, () => {
    setAsking(false)
    notifications.show({ message: t(secret ? 'admin.options.removed' : 'admin.options.reset_done', { name }) })
    setTimeout(() => document.activeElement === document.body && focusControl(option.key), 300)
  })
  return (
    <>
      <Button
        variant="subtle"
        c={secret ? 'var(--mantine-color-error)' : undefined}
        color={secret ? 'coral' : undefined}
        leftSection={secret ? <Trash2 size={15} /> : <RotateCcw size={15} />}
        aria-label={t(secret ? 'admin.options.remove_of' : 'admin.options.reset_of', { name })}
        onClick={() => setAsking(true)}
      >
        {t(secret ? 'admin.options.remove' : 'admin.options.reset')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(secret ? 'admin.options.remove_ask' : 'admin.options.reset_ask', { name })}
        confirm={t(secret ? 'admin.options.remove' : 'admin.options.reset')}
        mutation={{ ...reset, error: isStatus(reset.error, 404) ? null : reset.error }}
        onConfirm={() => reset.mutate()}
      >
        <Text>{resetEffect(t, option)}</Text>
      </ConfirmDialog>
    </>
  )
}
