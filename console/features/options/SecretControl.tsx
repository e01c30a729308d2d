import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyField } from '../ai/KeyDialog'
import { ChangeEffect } from './ChangeEffect'
import { changeEffect, secretText } from './labels'
import classes from './options.module.css'
import { secretOf } from './queries'
import { ResetOption } from './ResetOption'
import { type ControlProps, focusControl, useOptionDraft } from './useOptionDraft'

/** Sets, replaces or removes a secret, which is never shown. */
export function SecretControl(control: ControlProps) {
  const { t } = useTranslation()
  const { option, options, name } = control
  const { draft, set, field, save, error, problem } = useOptionDraft(control)
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
