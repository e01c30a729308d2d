import { Anchor, Badge, Button, Group, Input, Select, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { Confirm } from '../../ui/Confirm'
import { useFormat } from '../../ui/format'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { KeyField } from '../ai/KeyDialog'
import { allModelsQuery } from '../ai/queries'
import { useMe } from '../auth/queries'
import { adminPlansQuery } from '../plans/queries'
import { useReset, useSet } from './acts'
import classes from './options.module.css'
import { type Option, secretOf } from './queries'
import { aboutOf, afterReset, modelOf, nameOf, ruleOf, secretText, shownValue, thenOf } from './words'

export type Row = { option: Option; options: Option[]; onDraft: (key: string, is: boolean) => void }

/** One option: what it is, what it says and why, and what another value of it would do. */
export function OptionRow({ option, options, onDraft }: Row) {
  const { t } = useTranslation()
  const id = useId()
  const model = useQuery({ ...allModelsQuery, enabled: modelOf(option) !== undefined }).data?.find(
    (one) => one.id === modelOf(option),
  )
  const name = nameOf(t, option, model?.name)
  const about = aboutOf(t, option)
  return (
    <li className={classes.row} aria-labelledby={id}>
      <div>
        <div className={classes.head}>
          <Text fw={600} id={id}>
            {name}
          </Text>
          <Source option={option} />
        </div>
        {about && (
          <Text c="dimmed" fz="sm" mt={2} lang={about.lang}>
            {about.text}
          </Text>
        )}
        <Facts option={option}>
          {model && (
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/admin/ai-models/$model" params={{ model: model.id_secure }} {...props} />
              )}
            >
              {t('desk.options.to_model')}
            </Anchor>
          )}
        </Facts>
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

function Source({ option: { source, environment, type, value } }: { option: Option }) {
  const { t } = useTranslation()
  if (source === 'override') return <Badge variant="light">{t('desk.options.source.override')}</Badge>
  if (source === 'environment')
    return (
      <Badge variant="light" color="blue">
        {t('desk.options.source.environment', { key: environment?.key })}
      </Badge>
    )
  if (type === 'secret' && !secretOf({ value } as Option).set) return null
  return (
    <Badge variant="light" color="gray">
      {t('desk.options.source.default')}
    </Badge>
  )
}

/** What it is called on the API, and what it would say without what was set here. */
function Facts({ option, children }: { option: Option; children?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { key, type, source, environment, updated_at } = option
  const value = shownValue(t, option, option.default)
  return (
    <div className={classes.facts}>
      <span className={classes.mono}>{key}</span>
      {source === 'override' && environment?.is_set && (
        <span>{t('desk.options.before_setting', { key: environment.key, value })}</span>
      )}
      {source === 'override' && !environment?.is_set && type !== 'secret' && (
        <span>{t('desk.options.default_is', { value })}</span>
      )}
      {source === 'override' && updated_at && (
        <time dateTime={updated_at} title={format.full(updated_at)}>
          {t('desk.options.changed', { ago: format.ago(updated_at) })}
        </time>
      )}
      {children}
    </div>
  )
}

type Control = Row & { name: string }

/** Saves what is drafted, and says what is wrong with it. */
function useDraft({ option, onDraft, name }: Control) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Option['value'] | undefined>()
  const field = useRef<HTMLInputElement>(null)
  const { key } = option
  const save = useSet(option, () => {
    setDraft(undefined)
    notifications.show({ message: t('desk.options.saved', { name }) })
    // The button that had the keys is gone with the draft.
    setTimeout(() => document.activeElement === document.body && focusIn(key))
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
    error: said && (ruleOf(t, option) || said),
    problem: said ? null : save.error,
  }
}

/** The control that changes an option: its field, or the button that opens one. */
const focusIn = (key: string) =>
  document.getElementById(`option-${key}`)?.querySelector<HTMLElement>('input, button[data-opens]')?.focus()

function ValueControl(control: Control) {
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
            label={shownValue(t, option, value)}
            checked={value === true}
            onChange={({ currentTarget }) => change(currentTarget.checked)}
          />
          {error && <Input.Error mt={4}>{error}</Input.Error>}
        </>
      ) : type === 'enum' ? (
        <Select
          {...common}
          allowDeselect={false}
          data={(option.values ?? []).map((one) => ({ value: one, label: shownValue(t, option, one) }))}
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
        <Then text={thenOf(t, option, draft, options)} problem={problem}>
          <Button
            variant="default"
            onClick={() => {
              set(undefined)
              focusIn(key)
            }}
          >
            {t('desk.options.discard')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('desk.options.save')}
          </Button>
        </Then>
      )}
      {draft === undefined && option.source === 'override' && (
        <Group mt="xs">
          <Reset option={option} name={name} />
        </Group>
      )}
    </form>
  )
}

/** What a value that is not saved yet will do, and the buttons that decide on it. */
const Then = ({ text, problem, children }: { text: string; problem: Error | null; children: ReactNode }) => (
  <>
    <div className={classes.then} style={{ marginTop: '0.6rem' }}>
      <Text fz="sm" role="status">
        {text}
      </Text>
      <Group justify="flex-end" gap="xs" mt="sm">
        {children}
      </Group>
    </div>
    {problem && (
      <div style={{ marginTop: '0.6rem' }}>
        <Problem error={problem} />
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

function SecretControl(control: Control) {
  const { t } = useTranslation()
  const { option, options, name } = control
  const { draft, set, field, save, error, problem } = useDraft(control)
  const secret = secretOf(option)
  const typed = typeof draft === 'string' ? draft : undefined
  // Opened by a button, it takes the keys from it.
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
            {source === 'override' && <Reset option={option} name={name} />}
            <Button
              variant="default"
              data-opens
              onClick={() => set('')}
              aria-label={t(secret.set ? 'desk.options.replace_of' : 'desk.options.set_of', { name })}
            >
              {t(secret.set ? 'desk.options.replace' : 'desk.options.set_now')}
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
          <Then text={thenOf(t, option, typed, options)} problem={problem}>
            <Button
              variant="default"
              onClick={() => {
                set(undefined)
                setTimeout(() => focusIn(key))
              }}
            >
              {t('desk.options.discard')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={typed.trim() === ''}>
              {t('desk.options.save')}
            </Button>
          </Then>
        </>
      )}
    </form>
  )
}

function Reset({ option, name }: { option: Option; name: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const secret = option.type === 'secret'
  const reset = useReset(option, () => {
    setAsking(false)
    notifications.show({ message: t(secret ? 'desk.options.removed' : 'desk.options.reset_done', { name }) })
    setTimeout(() => document.activeElement === document.body && focusIn(option.key), 300)
  })
  return (
    <>
      <Button
        variant="subtle"
        c={secret ? 'var(--mantine-color-error)' : undefined}
        color={secret ? 'coral' : undefined}
        leftSection={secret ? <Trash2 size={15} /> : <RotateCcw size={15} />}
        aria-label={t(secret ? 'desk.options.remove_of' : 'desk.options.reset_of', { name })}
        onClick={() => setAsking(true)}
      >
        {t(secret ? 'desk.options.remove' : 'desk.options.reset')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(secret ? 'desk.options.remove_ask' : 'desk.options.reset_ask', { name })}
        confirm={t(secret ? 'desk.options.remove' : 'desk.options.reset')}
        act={{ ...reset, error: isStatus(reset.error, 404) ? null : reset.error }}
        onConfirm={() => reset.mutate()}
      >
        <Text>{afterReset(t, option)}</Text>
      </Confirm>
    </>
  )
}
