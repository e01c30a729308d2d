import { Checkbox, Group, Input, Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import type { ScopeInfo } from './queries'
import classes from './tokens.module.css'

/** Scopes by area. Writing includes reading. Users cannot grant more than their role has. */
export function ScopePicker({
  scopes,
  value,
  onChange,
  error,
}: {
  scopes: ScopeInfo[]
  value: string[]
  onChange: (scopes: string[]) => void
  error?: ReactNode
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const id = useId()
  const areas = Map.groupBy(scopes, ({ scope }) => scope.split(':', 1)[0] ?? scope)
  const has = (scope: string) => value.includes(scope)
  const toggle = (scope: string) => onChange(has(scope) ? value.filter((name) => name !== scope) : [...value, scope])
  return (
    // biome-ignore lint/a11y/useSemanticElements: the areas inside of it are the fieldsets
    <div role="group" aria-labelledby={id}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text fw={500} id={id}>
          {t('tokens.scopes')}
        </Text>
        <Text c="dimmed" fz="sm">
          {t('tokens.scopes_about')}
        </Text>
      </Group>
      <div className={classes.areas}>
        {[...areas].map(([area, parts]) => (
          <fieldset key={area} className={classes.area}>
            <legend>{translateDynamic(t, `scopes.${area}`, area)}</legend>
            <Stack gap={6}>
              {parts.map(({ scope, description, role }) => {
                const included = scope.endsWith(':read') && has(scope.replace(/read$/, 'write'))
                const mayGrant = isAtLeast(workspace, role)
                return (
                  <Checkbox
                    key={scope}
                    label={
                      <>
                        {translateDynamic(t, `scopes.${scope.replace(':', '_')}`, description)}{' '}
                        <code className={classes.scope}>{scope}</code>
                      </>
                    }
                    description={mayGrant ? undefined : t('tokens.scope_needs', { role: t(`roles.${role}.name`) })}
                    checked={included || has(scope)}
                    disabled={included || !mayGrant}
                    onChange={() => toggle(scope)}
                  />
                )
              })}
            </Stack>
          </fieldset>
        ))}
      </div>
      {error && <Input.Error mt={6}>{error}</Input.Error>}
    </div>
  )
}
